//! Judges two answers to the same expression.

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
        // The text also compares the order of keys and how numbers are written.
        _ if ours.to_string() == theirs.to_string() => Judgement::Same,
        _ => Judgement::Different,
    }
}
