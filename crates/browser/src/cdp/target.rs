//! The events by which sessions come and go, with the fields we rely on and no others: what we do not read cannot fail
//! to be read when the protocol changes.

use serde::Deserialize;

/// Something the browser can be attached to: a page, a frame in a process of its own, a worker.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Target {
    #[serde(rename = "targetId")]
    pub(crate) id: String,
    #[serde(rename = "type")]
    pub(crate) kind: String,
    #[serde(default)]
    pub(crate) opener_id: Option<String>,
    #[serde(default)]
    pub(crate) browser_context_id: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct AttachedToTarget {
    pub(super) session_id: String,
    pub(super) target_info: Target,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DetachedFromTarget {
    pub(super) session_id: String,
}
