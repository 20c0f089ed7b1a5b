//! What a bridge tells those who subscribe.

use serde_json::{Value, json};

/// The events of the protocol. Signals of maps come in addition, as `signal:NAME`.
pub(crate) const EVENTS: [&str; 4] = ["actionExecuted", "permissionChanged", "sessionExpired", "error"];

/// What signals of maps begin with.
pub(crate) const SIGNAL: &str = "signal:";

/// Something that happened.
#[derive(Clone, Debug)]
pub(crate) struct Happened {
    pub(crate) event: String,
    pub(crate) data: Value,
    /// The session that it is for; all that subscribe if absent.
    pub(crate) only: Option<[u8; 32]>,
}

impl Happened {
    pub(crate) fn new(event: impl Into<String>, data: Value) -> Self {
        Self { event: event.into(), data, only: None }
    }

    /// The message that is pushed.
    pub(crate) fn message(&self) -> Value {
        json!({ "id": null, "type": "event", "event": self.event, "data": self.data })
    }
}

/// Whether an event can be subscribed to.
pub(crate) fn is_event(name: &str) -> bool {
    let signal = name.strip_prefix(SIGNAL).is_some_and(|rest| !rest.is_empty() && rest.len() <= 200);
    EVENTS.contains(&name) || signal
}
