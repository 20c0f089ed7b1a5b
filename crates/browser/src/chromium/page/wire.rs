//! The protocol events and responses that the state of a page is built from. Only the fields we use are declared, so
//! changes of other fields cannot break parsing.

use chromiumoxide_cdp::cdp::browser_protocol::input::DispatchDragEventType;
use chromiumoxide_types::{Command, Method, MethodId, MethodType};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::input::Acknowledged;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FrameAttached {
    pub(super) frame_id: String,
    pub(super) parent_frame_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FrameDetached {
    pub(super) frame_id: String,
    /// `swap` if the frame only moves to another process.
    #[serde(default)]
    pub(super) reason: String,
}

#[derive(Deserialize)]
pub(super) struct FrameNavigated {
    pub(super) frame: WireFrame,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct WireFrame {
    pub(super) id: String,
    #[serde(default)]
    pub(super) parent_id: Option<String>,
    pub(super) loader_id: String,
    pub(super) url: String,
    #[serde(default)]
    pub(super) url_fragment: Option<String>,
    /// The unreachable address, if this is the browser's error page.
    #[serde(default)]
    pub(super) unreachable_url: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct NavigatedWithinDocument {
    pub(super) frame_id: String,
    pub(super) url: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FrameStartedNavigating {
    pub(super) frame_id: String,
    pub(super) url: String,
    pub(super) loader_id: String,
    #[serde(default)]
    pub(super) navigation_type: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FrameRequestedNavigation {
    pub(super) frame_id: String,
    pub(super) reason: String,
    pub(super) url: String,
    #[serde(default)]
    pub(super) disposition: String,
}

#[derive(Deserialize)]
pub(super) struct WindowOpen {
    pub(super) url: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FrameStoppedLoading {
    pub(super) frame_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct LifecycleEvent {
    pub(super) frame_id: String,
    pub(super) loader_id: String,
    pub(super) name: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DialogOpening {
    pub(super) url: String,
    pub(super) message: String,
    pub(super) r#type: String,
    #[serde(default)]
    pub(super) default_prompt: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FileChooserOpened {
    pub(super) frame_id: String,
    #[serde(default)]
    pub(super) mode: String,
    #[serde(default)]
    pub(super) backend_node_id: Option<i64>,
}

/// `Page.getFrameTree`.
#[derive(Debug, Serialize)]
pub(super) struct GetFrameTree {}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FrameTreeAnswer {
    pub(super) frame_tree: FrameTree,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FrameTree {
    pub(super) frame: WireFrame,
    #[serde(default)]
    pub(super) child_frames: Vec<FrameTree>,
}

impl Method for GetFrameTree {
    fn identifier(&self) -> MethodId {
        MethodId::Borrowed("Page.getFrameTree")
    }
}

impl Command for GetFrameTree {
    type Response = FrameTreeAnswer;
}

/// `Input.dragIntercepted`: the page started an HTML drag. The data is sent back to the browser unchanged.
#[derive(Debug, Deserialize)]
pub(super) struct DragIntercepted {
    pub(super) data: Value,
}

impl MethodType for DragIntercepted {
    fn method_id() -> MethodId {
        MethodId::Borrowed("Input.dragIntercepted")
    }
}

/// `Input.dispatchDragEvent`.
#[derive(Debug, Serialize)]
pub(super) struct DispatchDragEvent {
    #[serde(rename = "type")]
    pub(super) kind: DispatchDragEventType,
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) data: Value,
    pub(super) modifiers: i64,
}

impl Method for DispatchDragEvent {
    fn identifier(&self) -> MethodId {
        MethodId::Borrowed("Input.dispatchDragEvent")
    }
}

impl Command for DispatchDragEvent {
    type Response = Acknowledged;
}
