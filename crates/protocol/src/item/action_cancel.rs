//! `action_cancel`: the request to end a call.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::CallId;

/// The request to end a call. The call is still answered once: with `cancelled`, or with what it had come to by then.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(expecting = "an object")]
pub struct ActionCancel {
    /// The call to end.
    pub call_id: CallId,
    /// Fields this crate has no name for, kept in their order.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

impl ActionCancel {
    /// The request to end a call.
    pub fn new(call_id: CallId) -> Self {
        Self { call_id, extra: Map::new() }
    }
}
