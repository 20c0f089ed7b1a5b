//! Tells literal strings from slots.

use actions_expr::Slot;

use crate::document::Node;

/// The text of a string that is no slot and was not meant to be one.
pub(crate) fn literal<'d>(node: Node<'d>) -> Option<&'d str> {
    node.as_str().filter(|text| matches!(Slot::find(text), Ok(None)))
}
