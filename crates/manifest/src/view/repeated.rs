//! Finds names that occur twice.

use std::collections::HashMap;

use crate::document::Node;

/// The names that stand more than once: the name, where it is repeated, and where it stands first.
pub(crate) fn repeated<'d>(names: impl IntoIterator<Item = Node<'d>>) -> Vec<(&'d str, Node<'d>, Node<'d>)> {
    let mut seen = HashMap::new();
    let mut repeated = Vec::new();
    for node in names {
        let Some(name) = node.as_str() else { continue };
        match seen.get(name) {
            Some(first) => repeated.push((name, node, *first)),
            None => drop(seen.insert(name, node)),
        }
    }
    repeated
}
