//! What the page script reports about a gesture.

use actions_protocol::ErrorCode;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::Ready;
use crate::Failure;

/// What the page script reports once the last event of a gesture was delivered or is overdue.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Confirmation {
    /// Whether the last event reached the target.
    pub(crate) received: bool,
    /// The element that received the last event.
    pub(crate) target: Value,
    #[serde(flatten)]
    pub(crate) seen: Seen,
}

/// What the page script saw of a gesture. It is the evidence when the gesture missed its target.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Seen {
    pub(crate) via: Option<Via>,
    /// Whether the page script stopped the events because they went to another element. Nothing has happened then.
    pub(crate) prevented: bool,
    target_connected: bool,
    /// By event name, where the event went.
    events: Map<String, Value>,
    /// The first element other than the target that received an event.
    received_by: Option<Map<String, Value>>,
}

/// How the last event reached the target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Via {
    /// The target itself received it.
    Target,
    /// An element within the target received it.
    Descendant,
    /// A label of the target received it.
    Label,
    /// The dragged element lay on top of the target and received it.
    Beneath,
}

/// Why an element accepts no input, and which element causes it.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Disabled {
    reason: String,
    by: String,
}

/// A gesture that did not reach its target.
#[derive(Debug)]
pub(crate) struct Astray {
    pub(crate) failure: Failure,
    /// Whether nothing has happened, because the page script stopped the events.
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

    /// The failure of a gesture that did not reach its prepared target.
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
