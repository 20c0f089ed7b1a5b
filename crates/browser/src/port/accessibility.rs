//! The accessibility trees of documents, as the browser computes them.

use async_trait::async_trait;
use serde_json::{Map, Value};

use super::Handle;
use crate::{Deadline, Error, FrameId};

/// A node of the accessibility tree of a document.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AccessibleNode {
    /// Its id in the tree.
    pub id: String,
    /// The id of its parent.
    pub parent: Option<String>,
    /// The ids of its children.
    pub children: Vec<String>,
    /// Whether assistive technology leaves it out.
    pub is_ignored: bool,
    /// Its role; empty if it has none.
    pub role: String,
    /// Its accessible name.
    pub name: String,
    /// Its value.
    pub value: Option<String>,
    /// Its states and properties, such as `focused`: booleans, numbers and short texts.
    pub states: Map<String, Value>,
    /// The browser's number of its DOM node, if it has one.
    pub node: Option<i64>,
}

/// What a live region of the page said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Announcement {
    /// Its number on the page, from 0.
    pub number: u64,
    /// What was said.
    pub text: String,
    /// Whether it interrupts what a screen reader is saying.
    pub is_assertive: bool,
    /// When it was heard, in milliseconds since 1970.
    pub heard_ms: u64,
}

/// The accessibility trees of documents, and what their live regions say.
#[async_trait]
pub trait Accessibility: Send + Sync {
    /// The tree of a frame's document, in tree order. Documents of frames inside it are not part of it.
    async fn accessible_tree(
        &self,
        frame: &FrameId,
        deadline: Deadline,
    ) -> Result<Vec<AccessibleNode>, Error>;

    /// The nodes of a frame's document with this role and this name, in tree order; without a role or a name, those with any.
    async fn accessible_nodes(
        &self,
        frame: &FrameId,
        role: Option<&str>,
        name: Option<&str>,
        deadline: Deadline,
    ) -> Result<Vec<AccessibleNode>, Error>;

    /// A handle on the DOM node with a number.
    async fn numbered_node(&self, frame: &FrameId, node: i64, deadline: Deadline) -> Result<Handle, Error>;

    /// The browser's number of the DOM node of a handle.
    async fn number_of(&self, element: &Handle, deadline: Deadline) -> Result<i64, Error>;

    /// Listens to the live regions of all frames from now on, also in later documents.
    async fn watch_announcements(&self, deadline: Deadline) -> Result<(), Error>;

    /// The announcements with this number and later ones, oldest first. The page keeps the last few hundred.
    fn announcements(&self, since: u64) -> Vec<Announcement>;
}
