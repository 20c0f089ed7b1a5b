//! Closed shadow roots: scripts cannot enter them, the protocol can.

use std::collections::BTreeMap;

use chromiumoxide_cdp::cdp::browser_protocol::dom::BackendNodeId;
use chromiumoxide_types::{Command, Method, MethodId};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::ChromiumPage;
use crate::{Deadline, Error, FrameId, Handle};

/// Gives what is to be described, and takes in the roots that were found.
const HOSTS: &str = include_str!("../../../js/driver/hosts.js");

/// How deep closed roots are followed into each other.
const DEEPEST: usize = 32;

impl ChromiumPage {
    /// Asks the browser about the elements that may host a closed root and that it was not asked about before. The page
    /// script chooses them, so that no page is too large or too deep to be described, and it enters what is found.
    pub(super) async fn find_closed_roots(
        &self,
        frame: &FrameId,
        deadline: Deadline,
    ) -> Result<Vec<Handle>, Error> {
        let mut found = Vec::new();
        let mut inner: Vec<Handle> = Vec::new();
        for round in 0..DEEPEST {
            let answered = Value::from(round > 0);
            let questions = self.object_of(frame, HOSTS, &[answered], &inner, deadline).await?;
            found.append(&mut inner);
            let Some(questions) = questions else { break };
            inner = self.closed_roots_in(frame, questions, deadline).await?;
        }
        found.append(&mut inner);
        Ok(found)
    }

    /// The closed roots in the parts of a document that a list of the page script names.
    async fn closed_roots_in(
        &self,
        frame: &FrameId,
        questions: Handle,
        deadline: Deadline,
    ) -> Result<Vec<Handle>, Error> {
        let script = self.script(frame, deadline).await?;
        let command = GetProperties { object_id: &questions.object, own_properties: true };
        let list = self.answer(script.session.send(command, deadline)).await?;
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
                // An element that has gone meanwhile took its roots with it.
                Err(Error::Refused { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        let mut used = vec![questions];
        used.extend(parts.into_iter().map(|(object, _)| Handle { frame: frame.clone(), object }));
        self.release_handles(&used);
        let mut handles = Vec::new();
        for root in roots {
            match self.bring_into_world(frame, &script.session, &script.object, root, deadline).await {
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
    /// The elements of the list, and how many levels below each are to be described.
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

/// `DOM.describeNode` with what is below the node.
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
