//! Reads the accessibility trees of documents.

use async_trait::async_trait;
use chromiumoxide_cdp::cdp::browser_protocol::dom::BackendNodeId;
use chromiumoxide_types::{Command, Method, MethodId};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::ChromiumPage;
use super::describe_node::DescribeNode;
use super::element::stale;
use crate::{Accessibility, AccessibleNode, Announcement, Deadline, Elements, Error, FrameId, Handle};

/// The longest text of a state, in characters.
const LONGEST_STATE: usize = 200;

#[async_trait]
impl Accessibility for ChromiumPage {
    async fn accessible_tree(
        &self,
        frame: &FrameId,
        deadline: Deadline,
    ) -> Result<Vec<AccessibleNode>, Error> {
        self.refuse_if_blocked()?;
        let session = self.home_of(frame, deadline).await?;
        let command = GetFullAxTree { frame_id: frame.as_str() };
        let tree = self.answer(session.send(command, deadline)).await.map_err(stale)?;
        Ok(tree.nodes.into_iter().map(AccessibleNode::from).collect())
    }

    async fn accessible_nodes(
        &self,
        frame: &FrameId,
        role: Option<&str>,
        name: Option<&str>,
        deadline: Deadline,
    ) -> Result<Vec<AccessibleNode>, Error> {
        let Some(root) = self.pick(frame, &json!({ "selector": ":root" }), &[], deadline).await? else {
            return Ok(Vec::new());
        };
        let session = self.home_of(frame, deadline).await?;
        let command = QueryAxTree { object_id: &root.object, role, accessible_name: name };
        let found = self.answer(session.send(command, deadline)).await.map_err(stale);
        self.release(std::slice::from_ref(&root));
        Ok(found?.nodes.into_iter().map(AccessibleNode::from).collect())
    }

    async fn numbered_node(&self, frame: &FrameId, node: i64, deadline: Deadline) -> Result<Handle, Error> {
        self.refuse_if_blocked()?;
        let script = self.script(frame, deadline).await?;
        let node = BackendNodeId::new(node);
        self.resolve_in_world(frame, &script.session, &script.object, node, deadline).await
    }

    async fn number_of(&self, element: &Handle, deadline: Deadline) -> Result<i64, Error> {
        self.refuse_if_blocked()?;
        let session = self.home_of(&element.frame, deadline).await?;
        let command = DescribeNode::ObjectId(&element.object);
        let described = self.answer(session.send(command, deadline)).await.map_err(stale)?;
        Ok(described.node.backend_node_id)
    }

    async fn watch_announcements(&self, deadline: Deadline) -> Result<(), Error> {
        self.refuse_if_blocked()?;
        self.listen_to_live_regions(deadline).await
    }

    fn announcements(&self, since: u64) -> Vec<Announcement> {
        self.announced.since(since)
    }
}

/// `Accessibility.getFullAXTree`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct GetFullAxTree<'a> {
    frame_id: &'a str,
}

impl Method for GetFullAxTree<'_> {
    fn identifier(&self) -> MethodId {
        MethodId::Borrowed("Accessibility.getFullAXTree")
    }
}

impl Command for GetFullAxTree<'_> {
    type Response = WireTree;
}

/// `Accessibility.queryAXTree`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct QueryAxTree<'a> {
    object_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    accessible_name: Option<&'a str>,
}

impl Method for QueryAxTree<'_> {
    fn identifier(&self) -> MethodId {
        MethodId::Borrowed("Accessibility.queryAXTree")
    }
}

impl Command for QueryAxTree<'_> {
    type Response = WireTree;
}

/// Nodes as the browser sends them, with the fields we use. Its lists of roles and properties grow with every version, so
/// they are texts here.
#[derive(Debug, Deserialize)]
struct WireTree {
    nodes: Vec<WireNode>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct WireNode {
    node_id: String,
    #[serde(default)]
    ignored: bool,
    role: Option<WireValue>,
    name: Option<WireValue>,
    value: Option<WireValue>,
    #[serde(default)]
    properties: Vec<WireProperty>,
    parent_id: Option<String>,
    #[serde(default)]
    child_ids: Vec<String>,
    #[serde(rename = "backendDOMNodeId")]
    backend_node_id: Option<i64>,
}

#[derive(Debug, Deserialize)]
struct WireProperty {
    name: String,
    value: WireValue,
}

#[derive(Debug, Default, Deserialize)]
struct WireValue {
    #[serde(default)]
    value: Value,
}

impl WireValue {
    fn text(self) -> String {
        match self.value {
            Value::String(text) => text,
            Value::Null => String::new(),
            other => other.to_string(),
        }
    }
}

impl From<WireNode> for AccessibleNode {
    fn from(node: WireNode) -> Self {
        let mut states = Map::new();
        for property in node.properties {
            match property.value.value {
                value @ (Value::Bool(_) | Value::Number(_)) => drop(states.insert(property.name, value)),
                Value::String(text) if text.chars().count() <= LONGEST_STATE => {
                    states.insert(property.name, Value::String(text));
                }
                _ => {}
            }
        }
        Self {
            id: node.node_id,
            parent: node.parent_id,
            children: node.child_ids,
            is_ignored: node.ignored,
            role: node.role.unwrap_or_default().text(),
            name: node.name.unwrap_or_default().text(),
            value: node.value.map(WireValue::text),
            states,
            node: node.backend_node_id,
        }
    }
}
