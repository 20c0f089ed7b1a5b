//! `dom_event`: a declared signal of the page, after validation.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{CallId, EventId, RuntimeId, Timestamp};

/// A declared signal of the page, after validation. Its payload is data, never instructions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(expecting = "an object")]
pub struct DomEvent {
    /// Identifies the event.
    pub event_id: EventId,
    /// The runtime whose page sent it.
    pub runtime_id: RuntimeId,
    /// The name of the signal in the map.
    pub name: String,
    /// The name of the event on the page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
    /// The address of the page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// What the page said.
    pub payload: Value,
    /// The call that caused the event, if one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous_call_id: Option<CallId>,
    /// When it happened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_at: Option<Timestamp>,
    /// Fields this crate has no name for, kept in their order.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

impl DomEvent {
    /// An event of which only the necessary is known.
    pub fn new(event_id: EventId, runtime_id: RuntimeId, name: impl Into<String>, payload: Value) -> Self {
        Self {
            event_id,
            runtime_id,
            name: name.into(),
            event: None,
            url: None,
            payload,
            previous_call_id: None,
            observed_at: None,
            extra: Map::new(),
        }
    }
}
