//! `DOM.describeNode` with only the fields we use.

use chromiumoxide_types::{Command, Method, MethodId};
use serde::{Deserialize, Serialize};

/// `DOM.describeNode`: describes the node of an object.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum DescribeNode<'a> {
    ObjectId(&'a str),
}

#[derive(Debug, Deserialize)]
pub(super) struct Described {
    pub(super) node: DescribedNode,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DescribedNode {
    /// The frame that a frame element shows.
    pub(super) frame_id: Option<String>,
    /// The browser's number of the node.
    #[serde(default)]
    pub(super) backend_node_id: i64,
}

impl Method for DescribeNode<'_> {
    fn identifier(&self) -> MethodId {
        MethodId::Borrowed("DOM.describeNode")
    }
}

impl Command for DescribeNode<'_> {
    type Response = Described;
}
