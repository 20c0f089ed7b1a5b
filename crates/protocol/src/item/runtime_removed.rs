//! `runtime_removed`: a runtime has ended and takes no more calls.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::RuntimeId;

/// A runtime has ended, for example because its page closed. It takes no more calls.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(expecting = "an object")]
pub struct RuntimeRemoved {
    /// Which connection ended.
    pub runtime_id: RuntimeId,
    /// Fields this crate has no name for, kept in their order.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

impl RuntimeRemoved {
    /// The end of a runtime.
    pub fn new(runtime_id: RuntimeId) -> Self {
        Self { runtime_id, extra: Map::new() }
    }
}
