//! `runtime_ready`: a runtime has connected and loaded its manifest.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Number, Value};

use crate::{AuthorizationId, RuntimeId, RuntimeKey};

/// A runtime has connected and loaded its manifest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(expecting = "an object")]
pub struct RuntimeReady {
    /// Which connection this is.
    pub runtime_id: RuntimeId,
    /// Which browser surface this is; a new connection with a known key replaces the older one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runtime_key: Option<RuntimeKey>,
    /// The address of the page.
    pub url: String,
    /// The host of the page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// The title of the page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The approval under which the runtime works.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub authorization_id: Option<AuthorizationId>,
    /// The version of the runtime's program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extension_version: Option<String>,
    /// The names of what the host can do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capabilities: Option<Vec<String>>,
    /// The manifest, as it was loaded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub manifest: Option<Map<String, Value>>,
    /// What the sender says of its device.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<Value>,
    /// The browser tab.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tab: Option<Tab>,
    /// Why the runtime announces itself again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replay: Option<Replay>,
    /// Fields this crate has no name for, kept in their order.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

impl RuntimeReady {
    /// A runtime that reports only its id and its page.
    pub fn new(runtime_id: RuntimeId, url: impl Into<String>) -> Self {
        Self {
            runtime_id,
            runtime_key: None,
            url: url.into(),
            host: None,
            title: None,
            authorization_id: None,
            extension_version: None,
            capabilities: None,
            manifest: None,
            device: None,
            tab: None,
            replay: None,
            extra: Map::new(),
        }
    }
}

/// A browser tab, in the words of its browser.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(expecting = "an object")]
pub struct Tab {
    /// The browser's id of the tab.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tab_id: Option<BrowserId>,
    /// The browser's id of the window.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window_id: Option<BrowserId>,
    /// The title of the tab.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Whether the tab is the active one of its window.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub active: Option<bool>,
    /// Fields this crate has no name for, kept in their order.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// An id a browser gives: extensions see numbers, the DevTools protocol gives texts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, expecting = "expected a whole number or a string")]
pub enum BrowserId {
    /// As extensions see it.
    Number(i64),
    /// As the DevTools protocol gives it.
    Text(String),
}

/// Why a runtime announces itself again after a bridge has come back.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(expecting = "an object")]
pub struct Replay {
    /// The session of the bridge it announces itself to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bridge_session_id: Option<String>,
    /// The sender's word for the cause.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// How many times it has tried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attempt: Option<u64>,
    /// When the tab was claimed, in milliseconds since the beginning of 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claimed_at_ms: Option<Number>,
    /// When the announcement was repeated, in milliseconds since the beginning of 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replayed_at_ms: Option<Number>,
    /// Fields this crate has no name for, kept in their order.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}
