//! Finds the place of a failure that the engine reports without one.

use super::tree::{Kind, Node, grow};
use crate::builtin::Builtin;

/// The part of a tree that a failure is about, if there is only one it can be about.
pub(crate) fn blame<'a>(tree: &'a Node, jsonata_code: &str, message: &str) -> Option<&'a Node> {
    let mut suspects = Vec::new();
    gather(tree, jsonata_code, &mut suspects);
    suspects.retain(|node| match &node.kind {
        Kind::Binary { operator, .. } => names_operator(message, operator),
        _ => true,
    });
    match suspects.as_slice() {
        [only] => Some(only),
        _ => None,
    }
}

/// Whether a message of the engine names this operator, or no operator at all. The engine reports no position, so its
/// text is the only hint at the place; nothing else depends on it.
fn names_operator(message: &str, operator: &str) -> bool {
    let is_named = |operator: &str| {
        message.contains(&format!(" {operator} operator"))
            || message.contains(&format!("operator \"{operator}\""))
    };
    is_named(operator) || !["+", "-", "*", "/", "%", "<", "<=", ">", ">="].into_iter().any(is_named)
}

fn gather<'a>(node: &'a Node, code: &str, suspects: &mut Vec<&'a Node>) {
    if may_give(node, code) {
        suspects.push(node);
    }
    node.each_child(&mut |child| grow(|| gather(child, code, suspects)));
}

fn may_give(node: &Node, code: &str) -> bool {
    match (code, &node.kind) {
        ("T2001" | "T2002" | "D1001", Kind::Binary { operator, .. }) => {
            matches!(*operator, "+" | "-" | "*" | "/" | "%")
        }
        ("T2009" | "T2010", Kind::Binary { operator, .. }) => matches!(*operator, "<" | "<=" | ">" | ">="),
        ("T2006", Kind::Binary { operator, .. }) => *operator == "~>",
        ("D1002", Kind::Negate(_)) => true,
        ("T2003" | "T2004", Kind::Range(..)) => true,
        ("T2007" | "T2008", Kind::Sort(..)) => true,
        ("T2011" | "T2012" | "T2013", Kind::Transform { .. }) => true,
        ("T1003" | "D1009", Kind::Object(_) | Kind::Group(..)) => true,
        ("T1005" | "T1006" | "T1007" | "T1008", Kind::Call { callee, .. }) => match &callee.kind {
            // A function of JSONata is there to be called.
            Kind::Variable(name) => Builtin::find(name).is_none(),
            Kind::Lambda { .. } => false,
            _ => true,
        },
        (_, Kind::Call { callee, .. }) => match &callee.kind {
            Kind::Variable(name) => Builtin::find(name).is_some_and(|builtin| builtin.may_give(code)),
            _ => false,
        },
        _ => false,
    }
}
