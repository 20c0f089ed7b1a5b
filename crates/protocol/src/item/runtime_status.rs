//! `runtime_status`: a heartbeat or a report of states.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{RuntimeId, Timestamp};

/// A heartbeat or a report of states.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(expecting = "an object")]
pub struct RuntimeStatus {
    /// Which connection reports.
    pub runtime_id: RuntimeId,
    /// The address of the page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Whether the runtime can take calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub connected: Option<bool>,
    /// The names of the states that are current; none known is not the same as none current.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub states: Option<Vec<String>>,
    /// The attachments of the map and what has become of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attachments: Option<Vec<AttachmentStatus>>,
    /// The actions the runtime offers, by name or as descriptions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actions: Option<Vec<Value>>,
    /// When this was so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_at: Option<Timestamp>,
    /// Fields this crate has no name for, kept in their order.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

impl RuntimeStatus {
    /// A bare heartbeat.
    pub fn new(runtime_id: RuntimeId) -> Self {
        Self {
            runtime_id,
            url: None,
            connected: None,
            states: None,
            attachments: None,
            actions: None,
            observed_at: None,
            extra: Map::new(),
        }
    }
}

/// What has become of one attachment of the map.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(expecting = "an object")]
pub struct AttachmentStatus {
    /// The id the map gives the attachment.
    pub id: String,
    /// The sender's word for its state, such as `attached`.
    pub state: String,
    /// Fields this crate has no name for, kept in their order.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}
