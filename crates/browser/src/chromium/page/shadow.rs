//! Closed shadow roots: scripts cannot enter them, the protocol can.

use std::collections::BTreeMap;

use chromiumoxide_cdp::cdp::browser_protocol::dom::BackendNodeId;
use chromiumoxide_types::{Command, Method, MethodId};
use serde::{Deserialize, Serialize};

use super::ChromiumPage;
use super::describe_node::DescribeNode;
use crate::{Deadline, Error, FrameId, Handle};

/// How many elements are asked for their shadow roots.
const MOST_HOSTS: usize = 10_000;

impl ChromiumPage {
    pub(super) async fn find_closed_roots(
        &self,
        frame: &FrameId,
        deadline: Deadline,
    ) -> Result<Vec<Handle>, Error> {
        let script = self.script(frame, deadline).await?;
        self.refuse_if_blocked()?;
        let command = CaptureSnapshot { computed_styles: &[] };
        let snapshot = self.answer(script.session.send(command, deadline)).await?;
        let asked: Vec<_> = snapshot
            .possible_hosts(frame)
            .take(MOST_HOSTS)
            .map(|host| script.session.send(DescribeNode::BackendNodeId(host), deadline))
            .collect();
        let mut roots = Vec::new();
        for described in asked {
            // An element that has gone meanwhile took its roots with it.
            let described = match self.answer(described).await {
                Err(Error::Refused { .. }) => continue,
                other => other?,
            };
            let closed = described.node.shadow_roots.iter().filter(|root| root.shadow_root_type == "closed");
            roots.extend(closed.map(|root| BackendNodeId::new(root.backend_node_id)));
        }
        let mut handles = Vec::new();
        for root in roots {
            handles
                .push(self.bring_into_world(frame, &script.session, &script.object, root, deadline).await?);
        }
        Ok(handles)
    }
}

/// `DOMSnapshot.captureSnapshot`: the only view of a document that has closed roots in it and is flat, so that no
/// document can be too deep to be read.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct CaptureSnapshot {
    computed_styles: &'static [&'static str],
}

impl Method for CaptureSnapshot {
    fn identifier(&self) -> MethodId {
        MethodId::Borrowed("DOMSnapshot.captureSnapshot")
    }
}

impl Command for CaptureSnapshot {
    type Response = Snapshot;
}

#[derive(Debug, Deserialize)]
struct Snapshot {
    documents: Vec<DocumentSnapshot>,
    strings: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct DocumentSnapshot {
    frame_id: usize,
    nodes: NodeColumns,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct NodeColumns {
    parent_index: Vec<i64>,
    backend_node_id: Vec<i64>,
    #[serde(default)]
    shadow_root_type: SparseColumn,
}

/// The nodes that have a value, and the number of the string that is the value.
#[derive(Debug, Default, Deserialize)]
struct SparseColumn {
    index: Vec<usize>,
    value: Vec<usize>,
}

impl Snapshot {
    /// The parents of everything that lies in a closed root of a frame's document, in the order of the document. The
    /// roots themselves are not part of the snapshot, so some of these are hosts and some are ordinary parents.
    fn possible_hosts(&self, frame: &FrameId) -> impl Iterator<Item = i64> {
        let is_closed = |value: usize| self.strings.get(value).is_some_and(|text| text == "closed");
        let of_frame = |document: &&DocumentSnapshot| {
            self.strings.get(document.frame_id).is_some_and(|id| id == frame.as_str())
        };
        let mut parents = BTreeMap::new();
        for document in self.documents.iter().filter(of_frame) {
            let nodes = &document.nodes;
            let inside = nodes.shadow_root_type.index.iter().zip(&nodes.shadow_root_type.value);
            for (node, _) in inside.filter(|(_, value)| is_closed(**value)) {
                let parent = nodes.parent_index.get(*node).and_then(|parent| usize::try_from(*parent).ok());
                if let Some(parent) = parent
                    && let Some(id) = nodes.backend_node_id.get(parent)
                {
                    parents.insert(parent, *id);
                }
            }
        }
        parents.into_values()
    }
}
