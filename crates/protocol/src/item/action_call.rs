//! `action_call`: the request to perform one declared action or primitive.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{CallId, Millis, RuntimeId, RuntimeKey};

/// The request to perform one declared action or primitive.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(expecting = "an object")]
pub struct ActionCall {
    /// Joins the call to its output or error.
    pub call_id: CallId,
    /// The runtime that is meant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runtime_id: Option<RuntimeId>,
    /// The action or primitive. Any text is read, so that an impossible name can be answered with `unknown_action`.
    pub name: String,
    /// The arguments, decoded.
    pub arguments: Map<String, Value>,
    /// Another way to say which runtime is meant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<CallTarget>,
    /// A third way to say which runtime is meant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target_runtime_id: Option<RuntimeId>,
    /// Means the runtime whose address contains this text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target_url_contains: Option<String>,
    /// Means the runtime whose title contains this text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target_title_contains: Option<String>,
    /// How long the call may take.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<Millis>,
    /// Fields this crate has no name for, kept in their order.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

impl ActionCall {
    /// A call without routing or a time limit.
    pub fn new(call_id: CallId, name: impl Into<String>, arguments: Map<String, Value>) -> Self {
        Self {
            call_id,
            runtime_id: None,
            name: name.into(),
            arguments,
            target: None,
            target_runtime_id: None,
            target_url_contains: None,
            target_title_contains: None,
            timeout_ms: None,
            extra: Map::new(),
        }
    }
}

/// The runtime a call is meant for.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(expecting = "an object")]
pub struct CallTarget {
    /// By its connection.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runtime_id: Option<RuntimeId>,
    /// By its browser surface.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runtime_key: Option<RuntimeKey>,
    /// Fields this crate has no name for, kept in their order.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}
