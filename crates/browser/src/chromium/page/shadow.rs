//! Finds closed shadow roots: scripts cannot enter them, but the protocol can.

use std::collections::BTreeMap;

use chromiumoxide_cdp::cdp::browser_protocol::dom::BackendNodeId;
use chromiumoxide_types::{Command, Method, MethodId};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::ChromiumPage;
use super::element::stale;
use crate::{Deadline, Elements, Error, FrameId, Handle};

/// Returns the elements that may host a closed root, and hands found roots to the page script.
pub(super) const HOSTS: &str = include_str!("../../../js/driver/hosts.js");

/// How many levels of nested closed roots are followed.
pub(super) const DEEPEST: usize = 32;

impl ChromiumPage {
    /// The closed roots below the elements in a list of the page script.
    pub(super) async fn closed_roots_in(
        &self,
        frame: &FrameId,
        hosts: Handle,
        deadline: Deadline,
    ) -> Result<Vec<Handle>, Error> {
        let script = self.script(frame, deadline).await?;
        let command = GetProperties { object_id: &hosts.object, own_properties: true };
        let list = self.answer(script.session.send(command, deadline)).await.map_err(stale)?;
        let parts = list.parts();
        let asked: Vec<_> = parts
            .iter()
            .map(|(object_id, depth)| {
                script.session.send(DescribeTree { object_id, depth: *depth }, deadline)
            })
            .collect();
        let mut roots = Vec::new();
        for described in asked {
            match self.answer(described).await {
                Ok(tree) => tree.node.closed_roots(&mut roots),
                // The element was removed meanwhile, and its roots with it.
                Err(Error::Refused { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        let mut used = vec![hosts];
        used.extend(parts.into_iter().map(|(object, _)| Handle { frame: frame.clone(), object }));
        self.release(&used);
        let mut handles = Vec::new();
        for root in roots {
            match self.resolve_in_world(frame, &script.session, &script.object, root, deadline).await {
                Ok(handle) => handles.push(handle),
                Err(Error::HandleStale) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(handles)
    }
}

/// `Runtime.getProperties`, for the items of an array.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct GetProperties<'a> {
    object_id: &'a str,
    own_properties: bool,
}

impl Method for GetProperties<'_> {
    fn identifier(&self) -> MethodId {
        MethodId::Borrowed("Runtime.getProperties")
    }
}

impl Command for GetProperties<'_> {
    type Response = Properties;
}

#[derive(Debug, Deserialize)]
struct Properties {
    result: Vec<Property>,
}

#[derive(Debug, Deserialize)]
struct Property {
    name: String,
    value: Option<Remote>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Remote {
    object_id: Option<String>,
    value: Option<Value>,
}

impl Properties {
    /// The elements of the list, and how many levels below each element to describe.
    fn parts(self) -> Vec<(String, u64)> {
        let mut items: BTreeMap<usize, Remote> = BTreeMap::new();
        for property in self.result {
            if let (Ok(index), Some(value)) = (property.name.parse(), property.value) {
                items.insert(index, value);
            }
        }
        let items: Vec<Remote> = items.into_values().collect();
        let part = |pair: &[Remote]| {
            let depth = pair.get(1)?.value.as_ref()?.as_u64()?;
            Some((pair.first()?.object_id.clone()?, depth))
        };
        items.chunks(2).filter_map(part).collect()
    }
}

/// `DOM.describeNode` with the descendants of the node.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct DescribeTree<'a> {
    object_id: &'a str,
    depth: u64,
}

impl Method for DescribeTree<'_> {
    fn identifier(&self) -> MethodId {
        MethodId::Borrowed("DOM.describeNode")
    }
}

impl Command for DescribeTree<'_> {
    type Response = Tree;
}

#[derive(Debug, Deserialize)]
struct Tree {
    node: TreeNode,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct TreeNode {
    backend_node_id: i64,
    #[serde(default)]
    shadow_root_type: String,
    #[serde(default)]
    shadow_roots: Vec<TreeNode>,
    #[serde(default)]
    children: Vec<TreeNode>,
}

impl TreeNode {
    fn closed_roots(&self, found: &mut Vec<BackendNodeId>) {
        let closed = self.shadow_roots.iter().filter(|root| root.shadow_root_type == "closed");
        found.extend(closed.map(|root| BackendNodeId::new(root.backend_node_id)));
        for child in &self.children {
            child.closed_roots(found);
        }
    }
}
