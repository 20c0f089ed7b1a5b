//! The place of a fault that only the engine finds.

use super::tree::{Kind, Literal, Node, grow};
use crate::Place;

/// The place the JSONata code of a fault speaks of: the first construct in the tree that such a fault can be about.
/// Where no construct stands out, the whole source is the place.
pub(crate) fn locate(tree: &Node, jsonata_code: Option<&str>) -> Place {
    let mut found = None;
    visit(tree, jsonata_code.unwrap_or_default(), &mut found);
    found.unwrap_or(tree.place)
}

fn visit(node: &Node, code: &str, found: &mut Option<Place>) {
    if found.is_some() {
        return;
    }
    *found = match (code, &node.kind) {
        // A number, true, false or null as a step of a path.
        ("S0213", Kind::Path(left, right)) => {
            [left, right].into_iter().find(|step| is_scalar(step)).map(|n| n.place)
        }
        // A predicate after a group.
        ("S0209", Kind::Filter(left, predicate)) if has_group(left) => Some(predicate.place),
        // A group after a group.
        ("S0210", Kind::Group(left, _)) if has_group(left) => Some(tail(node, left)),
        // A focus after a predicate or a sort.
        ("S0215" | "S0216", Kind::Focus(left, _)) => Some(tail(node, left)),
        // A parent of something that has none.
        ("S0217", Kind::Parent) => Some(node.place),
        // A signature that makes no sense.
        ("S0401" | "S0402", Kind::Lambda { signature: Some(signature), .. }) => Some(*signature),
        // A call of what cannot be a function.
        ("T1006" | "T1008", Kind::Call { callee, .. }) if !may_be_function(callee) => Some(callee.place),
        _ => None,
    };
    node.each_child(&mut |child| grow(|| visit(child, code, found)));
}

/// What `node` adds behind its left operand.
fn tail(node: &Node, left: &Node) -> Place {
    Place::new(left.place.end(), node.place.end() - left.place.end())
}

fn is_scalar(node: &Node) -> bool {
    matches!(&node.kind, Kind::Literal(literal) if !matches!(literal, Literal::String(_)))
}

fn has_group(node: &Node) -> bool {
    match &node.kind {
        Kind::Group(..) => true,
        Kind::KeepArray(left) | Kind::Focus(left, _) | Kind::Index(left, _) => has_group(left),
        Kind::Path(_, right) => has_group(right),
        _ => false,
    }
}

fn may_be_function(node: &Node) -> bool {
    !matches!(
        &node.kind,
        Kind::Literal(_)
            | Kind::Wildcard
            | Kind::Descendant
            | Kind::Parent
            | Kind::Array(_)
            | Kind::Object(_)
    )
}
