//! Arguments that hold slots: which positions are not known before the map runs.

use std::collections::HashSet;

use super::literal;
use crate::document::{Kind, Node};

/// The pointers of the slots at and below a node, as if the node stood at `prefix`: values that are not known yet.
pub(crate) fn holes(node: Node<'_>, prefix: &str) -> HashSet<String> {
    let base = node.pointer().len();
    let mut holes = HashSet::new();
    node.walk(&mut |below| {
        if below.kind() == Kind::String && literal(below).is_none() {
            holes.insert(format!("{prefix}{}", &below.pointer()[base..]));
        }
    });
    holes
}

/// The last name of a pointer, with the indexes after it.
pub(crate) fn label(pointer: &str) -> String {
    let mut label = String::new();
    for step in pointer.split('/').skip(1) {
        match step.parse::<usize>() {
            Ok(index) if !label.is_empty() => label.push_str(&format!("[{index}]")),
            Ok(_) | Err(_) => label = step.replace("~1", "/").replace("~0", "~"),
        }
    }
    label
}
