//! Judges two answers to the same expression.

use serde_json::Value;

use super::Answer;

/// How two answers relate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// The same value, or the same error.
    Same,
    /// Two errors with different codes: neither caller gets a value.
    OtherCode,
    /// jsonata.js did not come to an end.
    NoAnswer,
    /// One gives a value where the other gives another one, or none, or an error; or ours panicked or ended.
    Different,
}

/// Compares what we give with what jsonata.js gives.
pub fn compare(ours: &Answer, theirs: &Answer) -> Judgement {
    match (ours, theirs) {
        (Answer::Panicked | Answer::Ended, _) => Judgement::Different,
        (_, Answer::Ended) => Judgement::NoAnswer,
        (Answer::Error(ours), Answer::Error(theirs)) if ours != theirs => Judgement::OtherCode,
        (Answer::Value(ours), Answer::Value(theirs)) if is_same(ours, theirs) => Judgement::Same,
        (Answer::Value(_), Answer::Value(_)) => Judgement::Different,
        _ if ours == theirs => Judgement::Same,
        _ => Judgement::Different,
    }
}

/// Tells whether two values are the same, with their keys in the same order. How a number is written does not matter.
fn is_same(ours: &Value, theirs: &Value) -> bool {
    match (ours, theirs) {
        (Value::Number(ours), Value::Number(theirs)) => ours.as_f64() == theirs.as_f64(),
        (Value::Array(ours), Value::Array(theirs)) => {
            ours.len() == theirs.len() && ours.iter().zip(theirs).all(|(ours, theirs)| is_same(ours, theirs))
        }
        (Value::Object(ours), Value::Object(theirs)) => {
            let mut both = ours.iter().zip(theirs);
            ours.len() == theirs.len()
                && both.all(|((key, ours), (other, theirs))| key == other && is_same(ours, theirs))
        }
        _ => ours == theirs,
    }
}
