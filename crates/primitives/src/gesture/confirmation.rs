//! What the page script reports about a gesture.

use actions_protocol::ErrorCode;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::Ready;
use crate::Failure;

/// What the page script reports when the last event of a gesture was delivered, or did not come.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Confirmation {
    /// Whether the last event reached the target.
    pub(crate) received: bool,
    /// The element that received the last event, as the page script sums it up.
    pub(crate) target: Value,
    #[serde(flatten)]
    pub(crate) seen: Seen,
}

/// What was seen of a gesture; the evidence of one that went astray.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Seen {
    pub(crate) via: Option<Via>,
    /// Whether the page script kept the gesture from an element it was not meant for, so that nothing has happened.
    pub(crate) prevented: bool,
    target_connected: bool,
    /// Where each event went, by its name.
    events: Map<String, Value>,
    /// The element that received the first event that was not meant for it.
    received_by: Option<Map<String, Value>>,
}

/// How the last event got to the target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Via {
    /// The target itself received it.
    Target,
    /// An element within the target received it.
    Descendant,
    /// A label of the target received it.
    Label,
    /// What is dragged lay on top of the target and received it.
    Beneath,
}

/// Why an element takes no input, and which element says so.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Disabled {
    reason: String,
    by: String,
}

/// A gesture that did not arrive.
#[derive(Debug)]
pub(crate) struct Astray {
    pub(crate) failure: Failure,
    /// Whether nothing has happened, because the page script kept the gesture from another element.
    pub(crate) prevented: bool,
}

impl From<Failure> for Astray {
    fn from(failure: Failure) -> Self {
        Self { failure, prevented: false }
    }
}

impl Confirmation {
    /// Whether an event of the gesture reached the target.
    pub(crate) fn has_received(&self, event: &str) -> bool {
        self.seen.events.get(event).is_some_and(|went| went == "received")
    }

    /// The failure of a gesture that did not reach what was made ready for it.
    pub(crate) fn astray(self, lost: ErrorCode, ready: &Ready<'_>) -> Astray {
        let by = self.seen.received_by.as_ref().and_then(|by| by.get("target_label")?.as_str());
        let mut disabled = None;
        let message = match (self.seen.target_connected, by, &ready.disabled) {
            (false, _, _) => "the target left the document before the input reached it".to_owned(),
            (_, Some(by), _) => format!("the input went to `{by}`, not to the target"),
            (_, None, Some(why)) => {
                disabled = Some(why);
                let (by, reason) = (&why.by, why.reason.replace('_', " "));
                format!("the input was sent, but `{by}` received no `{}` event: it is {reason}", ready.until)
            }
            (_, None, None) => {
                format!("the input was sent, but no `{}` event reached the target", ready.until)
            }
        };
        let mut failure = Failure::new(lost, message);
        if let Value::Object(evidence) = json!(self.seen) {
            failure.evidence = evidence;
        }
        if let Some(disabled) = disabled {
            failure = failure.with_evidence("disabled", json!(disabled));
        }
        Astray { failure, prevented: self.seen.prevented }
    }
}
