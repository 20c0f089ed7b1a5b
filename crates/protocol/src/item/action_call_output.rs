//! `action_call_output`: a call has succeeded.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{CallId, RuntimeId};

/// A call has succeeded, and this is its value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(expecting = "an object")]
pub struct ActionCallOutput {
    /// The call this answers.
    pub call_id: CallId,
    /// The runtime that performed it.
    pub runtime_id: RuntimeId,
    /// The value; `null` is a value too.
    pub output: Value,
    /// Fields this crate has no name for, kept in their order.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

impl ActionCallOutput {
    /// The answer to a call.
    pub fn new(call_id: CallId, runtime_id: RuntimeId, output: Value) -> Self {
        Self { call_id, runtime_id, output, extra: Map::new() }
    }
}
