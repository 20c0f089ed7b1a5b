//! `action_progress`: a step of a running call has begun or ended.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{CallId, RuntimeId, StepId, Timestamp};

/// A step of a running call has begun or ended. It carries words of the map only, never what a page or an input says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(expecting = "an object")]
pub struct ActionProgress {
    /// The call.
    pub call_id: CallId,
    /// The runtime that performs it.
    pub runtime_id: RuntimeId,
    /// The action or primitive that was called.
    pub action: String,
    /// The step that began last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_entered_content_phase: Option<String>,
    /// The step that ended last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_completed_content_phase: Option<String>,
    /// The step that this item is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<ProgressStep>,
    /// When this was so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_at: Option<Timestamp>,
    /// Fields this crate has no name for, kept in their order.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

impl ActionProgress {
    /// Progress of which only the call is known.
    pub fn new(call_id: CallId, runtime_id: RuntimeId, action: impl Into<String>) -> Self {
        Self {
            call_id,
            runtime_id,
            action: action.into(),
            last_entered_content_phase: None,
            last_completed_content_phase: None,
            step: None,
            observed_at: None,
            extra: Map::new(),
        }
    }
}

/// A step that has begun, or ended if it says how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(expecting = "an object")]
pub struct ProgressStep {
    /// Its id.
    pub id: StepId,
    /// The primitive it calls.
    pub primitive: String,
    /// The steps of outer calls it runs within, from the outside in.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub within: Vec<StepId>,
    /// Its number, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<u64>,
    /// How many steps there are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<u64>,
    /// Whether it succeeded; absent while it runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ok: Option<bool>,
    /// How long it took; absent while it runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<u64>,
}
