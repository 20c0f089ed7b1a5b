//! The answers of `actions.site`.

use serde::Serialize;
use serde_json::{Value, json};

use super::Listing;
use crate::state::{StateDiff, StateReading, SummaryReading};

/// What `actions.site` answers.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum SiteAnswer {
    /// What the map offers.
    Listing(Listing),
    /// The value of a tool.
    Value(Value),
    /// A whole state.
    State(StateReading),
    /// A summary of a state.
    Summary(SummaryReading),
    /// What changed.
    Diff(StateDiff),
}

impl SiteAnswer {
    /// The answer as it stands on the wire: the value of the tool as it is, everything else with `"ok": true`.
    pub fn to_json(&self) -> Value {
        match self {
            Self::Listing(listing) => with_ok(listing),
            Self::Value(value) => value.clone(),
            Self::State(state) => with_ok(state),
            Self::Summary(summary) => with_ok(summary),
            Self::Diff(diff) => with_ok(diff),
        }
    }
}

fn with_ok(answer: &impl Serialize) -> Value {
    let mut whole = json!({ "ok": true });
    if let (Some(whole), Value::Object(members)) = (whole.as_object_mut(), json!(answer)) {
        whole.extend(members);
    }
    whole
}
