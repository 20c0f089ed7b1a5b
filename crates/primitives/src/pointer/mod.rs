//! Gestures of the pointer.

pub(crate) mod click;
pub(crate) mod double_click;
pub(crate) mod drag;
#[path = "move.rs"]
pub(crate) mod r#move;

use serde_json::{Map, Value};

/// What a locator matched, for outputs: whether it was ambiguous, how many there were, and whether role and name agree.
fn matched(output: &mut Map<String, Value>, facts: &Map<String, Value>) {
    for key in ["ambiguous", "candidate_count", "identity"] {
        output.extend(facts.get(key).map(|value| (key.to_owned(), value.clone())));
    }
}
