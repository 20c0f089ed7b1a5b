//! State projections as the text has them.

use crate::document::{Document, Node};

/// A state projection as it stands in the text.
#[derive(Clone, Debug)]
pub(crate) struct Projection<'d> {
    pub(crate) node: Node<'d>,
    pub(crate) snapshot: Option<Node<'d>>,
    /// The extractors of its snapshot, in order.
    pub(crate) extract: Vec<Node<'d>>,
    /// Its summaries, in order.
    pub(crate) summaries: Vec<Node<'d>>,
    /// Its markers: an array, or one slot.
    pub(crate) markers: Option<Node<'d>>,
    /// When it may be read.
    pub(crate) ready: Option<Node<'d>>,
}

/// A postcondition of a tool, whichever of the two places it stands in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PostconditionView<'d> {
    pub(crate) node: Node<'d>,
    /// The tool it is about, when the map has it.
    pub(crate) tool: Option<Node<'d>>,
}

/// Every state projection of a map.
pub(super) fn find(document: &Document) -> Vec<Projection<'_>> {
    super::section(document, "state_projections").map(Projection::of).collect()
}

impl<'d> Projection<'d> {
    fn of(node: Node<'d>) -> Self {
        let snapshot = node.get("snapshot");
        let list = |owner: Option<Node<'d>>, key| {
            owner.and_then(|owner| owner.get(key)).into_iter().flat_map(Node::elements).collect()
        };
        Self {
            node,
            snapshot,
            extract: list(snapshot, "extract"),
            summaries: list(Some(node), "summaries"),
            markers: node.get("markers"),
            ready: node.at("/x_actions/ready"),
        }
    }

    /// Every field of its extractors, nested ones included.
    pub(crate) fn fields(&self) -> Vec<Node<'d>> {
        let mut open: Vec<_> = self.extract.iter().rev().copied().collect();
        let mut fields = Vec::new();
        while let Some(owner) = open.pop() {
            let below: Vec<_> =
                owner.get("fields").into_iter().flat_map(Node::members).map(|(_, field)| field).collect();
            fields.extend(&below);
            open.extend(below.into_iter().rev());
        }
        fields
    }

    /// The expression that makes the state.
    pub(super) fn expression(&self) -> Option<Node<'d>> {
        self.snapshot?.get("projection")?.get("expression")
    }
}

impl<'d> PostconditionView<'d> {
    /// Every postcondition of a map.
    pub(crate) fn find(document: &'d Document) -> Vec<Self> {
        let in_tools = super::tools(document)
            .filter_map(|tool| Some(Self { node: tool.get("postcondition")?, tool: Some(tool) }));
        let in_projections = super::section(document, "state_projections").flat_map(|projection| {
            let members = projection.get("postconditions").into_iter().flat_map(Node::members);
            members.map(move |(name, node)| Self {
                node,
                tool: super::tools(document)
                    .find(|tool| tool.get("name").and_then(Node::as_str) == Some(name)),
            })
        });
        in_tools.chain(in_projections).collect()
    }

    /// The condition, in whichever form it is written.
    pub(super) fn condition(&self) -> Option<Node<'d>> {
        self.node.get("verify").and_then(|verify| verify.get("expression")).or(self.node.get("expression"))
    }
}
