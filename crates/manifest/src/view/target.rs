//! Target descriptors as the text has them.

use crate::document::{Document, Kind, Node};

/// A target descriptor as it stands in the text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target<'d> {
    pub(crate) node: Node<'d>,
    /// Whether it must name an element; elsewhere a condition on the page is enough.
    pub(crate) needs_element: bool,
}

/// Every target descriptor of a map.
pub(super) fn find(document: &Document) -> Vec<Target<'_>> {
    let below = |section: &str, path: &'static str, needs_element: bool| {
        super::section(document, section)
            .filter_map(move |element| element.at(path))
            .map(move |node| Target { node, needs_element })
    };
    let each = |section: &str, list: &'static str, key: &'static str, needs_element: bool| {
        super::section(document, section)
            .filter_map(move |element| element.at(list))
            .flat_map(Node::elements)
            .filter_map(move |element| element.get(key))
            .map(move |node| Target { node, needs_element })
    };
    let listed = super::section(document, "context")
        .filter_map(|context| context.at("/load_when/targets"))
        .flat_map(Node::elements)
        .map(|node| Target { node, needs_element: false });
    let all = below("tools", "/target", false)
        .chain(each("tools", "/x_actions/execution/steps", "target", true))
        .chain(each("tools", "/x_actions/execution/steps", "until", false))
        .chain(each("states", "/diagnostics", "target", false))
        .chain(each("checks", "/assertions", "target", false))
        .chain(below("attachments", "/target", true))
        .chain(below("signals", "/target", true))
        .chain(listed);
    // Some places also take the name of a tool or an attachment that has a target.
    all.filter(|target| target.node.kind() == Kind::Object).collect()
}
