//! Transforms whose parts read objects by the names of their fields.

use crate::syntax::{Kind, Node, grow};

/// Tells whether an expression is a transform that never looks at objects as a whole, so that a field more in them is not
/// seen.
pub(super) fn reads_by_name(node: &Node) -> bool {
    let Kind::Transform { pattern, update, delete } = &node.kind else { return false };
    let is_context = pattern.kind == Kind::Variable(String::new());
    (is_context || is_by_name(pattern)) && is_by_name(update) && delete.as_deref().is_none_or(is_by_name)
}

fn is_by_name(node: &Node) -> bool {
    // The context itself, of which something is taken.
    if let Kind::Path(left, right) | Kind::Filter(left, right) = &node.kind
        && matches!(&left.kind, Kind::Variable(name) if name.is_empty() || name == "$")
    {
        return grow(|| is_by_name(right));
    }
    let is_whole = match &node.kind {
        Kind::Wildcard | Kind::Descendant | Kind::Parent | Kind::Lambda { .. } | Kind::Transform { .. } => {
            true
        }
        Kind::Variable(name) => name.is_empty() || name == "$",
        // Functions read the context where they are given nothing, and could be given an object.
        Kind::Call { .. } | Kind::Binary { operator: "&", .. } => true,
        // Objects are compared as a whole.
        Kind::Binary { operator: "=" | "!=" | "in", left, right } => {
            ![left, right].into_iter().any(|side| matches!(side.kind, Kind::Literal(_)))
        }
        _ => false,
    };
    let mut all = !is_whole;
    node.each_child(&mut |child| all = all && grow(|| is_by_name(child)));
    all
}
