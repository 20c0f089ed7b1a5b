//! `action_error`: a call, a routing decision, a signal or an item has failed.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{CallId, ErrorObject, RuntimeId};

/// A call, a routing decision, a signal or an item has failed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(expecting = "an object")]
pub struct ActionError {
    /// The call this answers, if it is about one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call_id: Option<CallId>,
    /// The runtime in which it happened, if it is about one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runtime_id: Option<RuntimeId>,
    /// What went wrong.
    pub error: ErrorObject,
    /// Fields this crate has no name for, kept in their order.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

impl ActionError {
    /// An error that is about no call and no runtime, such as an item that could not be read.
    pub fn new(error: ErrorObject) -> Self {
        Self { call_id: None, runtime_id: None, error, extra: Map::new() }
    }

    /// Makes it the answer to a call.
    #[must_use]
    pub fn for_call(mut self, call_id: CallId) -> Self {
        self.call_id = Some(call_id);
        self
    }

    /// Names the runtime in which it happened.
    #[must_use]
    pub fn in_runtime(mut self, runtime_id: RuntimeId) -> Self {
        self.runtime_id = Some(runtime_id);
        self
    }
}
