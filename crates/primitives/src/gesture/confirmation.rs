//! What the page script reports about a gesture.

use actions_protocol::ErrorCode;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::Ready;
use crate::Failure;

/// What the page script reports once the last event of a gesture was delivered or is overdue.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Confirmation {
    /// Whether the last event reached the target, or an earlier one did and the page acted on it.
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
    /// Why the target received the press, but not the last event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cut_short: Option<CutShort>,
    /// What the target had become when it was pressed. The page script blocked the press.
    #[serde(skip_serializing_if = "Option::is_none")]
    mistaken: Option<Mistaken>,
    /// By event name, where the event went.
    events: Map<String, Value>,
    /// The first element other than the target that received an event.
    received_by: Option<Map<String, Value>>,
}

/// Why a target that received the press did not receive the last event.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct CutShort {
    /// The last event that the target received.
    pub(crate) on: String,
    how: How,
}

/// What came between the press and the last event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
enum How {
    /// The page took the target away in an event that it received.
    TakenAway,
    /// The target is a field that has taken the focus, and something else received the release.
    Entered,
    /// The target says that it has another state, and something else received the release.
    ChangedState,
    /// The page took the target away when the focus moved.
    LostFocus,
    /// An equal element took its place.
    Replaced,
    /// The page began to load another document in an event that it received.
    Left,
}

impl CutShort {
    /// Says why the event that ends the gesture did not come.
    fn message(&self, until: &str) -> String {
        let on = &self.on;
        match self.how {
            How::Left => format!("the page began to load another document on `{on}`"),
            How::TakenAway => format!("the page took the target away on `{on}`"),
            How::Entered => {
                format!("the target took the focus on `{on}`, and something else received the rest")
            }
            How::ChangedState => {
                format!("the target changed its state on `{on}`, and something else received the rest")
            }
            How::LostFocus => format!(
                "the target received `{on}`, but the page took it away when the focus moved, so it received no `{until}`"
            ),
            How::Replaced => format!(
                "the target received `{on}`, but the page replaced it by an equal element, so it received no `{until}`"
            ),
        }
    }
}

/// A target that no longer was what its locator asks for when it was pressed.
#[derive(Clone, Debug, Deserialize, Serialize)]
struct Mistaken {
    wanted: Identity,
    seen: Identity,
}

/// The role, the name and the text of an element.
#[derive(Clone, Debug, Deserialize, Serialize)]
struct Identity {
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

impl Mistaken {
    /// Names the first property that differs.
    fn message(&self) -> String {
        let pairs = [
            ("name", &self.wanted.name, &self.seen.name),
            ("text", &self.wanted.text, &self.seen.text),
            ("role", &self.wanted.role, &self.seen.role),
        ];
        let differing = pairs.into_iter().find_map(|(what, wanted, seen)| {
            let (wanted, seen) = (wanted.as_deref()?, seen.as_deref()?);
            (wanted != seen).then(|| format!("its {what} was `{seen}`, not `{wanted}`"))
        });
        let differing = differing.unwrap_or_else(|| "it had changed".to_owned());
        format!("the target was not pressed: when the pointer reached it, {differing}")
    }
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
    /// The dragged element, or what the page put there during the drag, lay on top of the target and received it.
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
    /// Whether nothing has happened, because the page script stopped the events, and another attempt may succeed.
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
        let reason = self.seen.mistaken.as_ref().map(Mistaken::message);
        let reason = reason.or_else(|| self.seen.cut_short.as_ref().map(|cut| cut.message(ready.until)));
        let message = match (self.seen.target_connected, by, &ready.disabled) {
            _ if reason.is_some() => reason.unwrap_or_default(),
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
        let prevented = self.seen.prevented && self.seen.mistaken.is_none();
        Astray { failure, prevented }
    }
}
