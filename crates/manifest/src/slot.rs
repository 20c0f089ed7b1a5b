//! A compiled expression of a map.

use actions_expr::Expression;

use crate::document::{Document, NodeId, Spot};

/// A compiled expression and the string of the document it was found in.
#[derive(Clone, Debug)]
pub struct Slot {
    /// The string that holds the expression.
    pub at: NodeId,
    /// The byte offset of the expression in that string's decoded text.
    pub offset: usize,
    /// The compiled expression.
    pub expression: Expression,
}

impl Slot {
    /// The spot of `len` bytes from `offset` of the expression.
    pub(crate) fn spot<'d>(&self, document: &'d Document, offset: usize, len: usize) -> Spot<'d> {
        Spot::Within { node: document.node(self.at), offset: self.offset + offset, len }
    }
}
