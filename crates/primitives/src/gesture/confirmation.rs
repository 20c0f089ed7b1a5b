use actions_protocol::ErrorCode;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::Failure;

/// What the page was heard to make of a gesture.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Confirmation {
    /// Whether the last event reached the goal.
    pub(crate) received: bool,
    /// What received the last event.
    pub(crate) target: Value,
    /// What else was seen: `via`, `events`, `prevented`, `received_by`, `target_connected`.
    #[serde(flatten)]
    pub(crate) rest: Map<String, Value>,
}

impl Confirmation {
    /// Whether an event of the gesture reached the goal.
    pub(crate) fn has_received(&self, event: &str) -> bool {
        self.rest.get("events").is_some_and(|events| events[event] == "received")
    }

    /// The failure of a gesture that went elsewhere.
    pub(crate) fn astray(self, lost: ErrorCode) -> Failure {
        let by = self.rest.get("received_by").and_then(|by| by["target_label"].as_str());
        let message = match (self.rest.get("target_connected"), by) {
            (Some(Value::Bool(false)), _) => {
                "the target left the document before the input reached it".to_owned()
            }
            (_, Some(by)) => format!("the input went to `{by}`, not to the target"),
            (_, None) => "the input was sent, but its last event did not come".to_owned(),
        };
        let mut failure = Failure::new(lost, message);
        failure.evidence = self.rest;
        failure
    }
}
