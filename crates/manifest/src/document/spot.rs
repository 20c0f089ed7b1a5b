//! A place a finding can point at.

use super::{Node, Span};

/// The part of a node a finding points at.
#[derive(Clone, Copy, Debug)]
pub enum Spot<'d> {
    /// The value.
    Value(Node<'d>),
    /// The key of the member.
    Key(Node<'d>),
    /// Some bytes of a string's decoded text.
    Within {
        /// The string.
        node: Node<'d>,
        /// Where the bytes begin in its text.
        offset: usize,
        /// How many they are.
        len: usize,
    },
}

impl<'d> Spot<'d> {
    pub(crate) fn node(self) -> Node<'d> {
        match self {
            Spot::Value(node) | Spot::Key(node) | Spot::Within { node, .. } => node,
        }
    }

    pub(crate) fn span(self) -> Span {
        match self {
            Spot::Value(node) => node.span(),
            Spot::Key(node) => node.key_span(),
            Spot::Within { node, offset, len } => node.span_in_string(offset, len),
        }
    }
}

impl<'d> From<Node<'d>> for Spot<'d> {
    fn from(node: Node<'d>) -> Self {
        Spot::Value(node)
    }
}
