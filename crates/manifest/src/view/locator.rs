//! Recognises locators in the text.

use crate::document::{Kind, Node};

/// The keys of a locator any of which says what element is meant.
const IDENTITY: &[&str] = &[
    "selector",
    "selectors",
    "fallback_selectors",
    "xpath",
    "role",
    "text",
    "text_equals",
    "text_contains",
    "text_matches",
];

/// Whether a locator or target says what element is meant.
pub(crate) fn identifies(node: Node<'_>) -> bool {
    let is_empty_list = |value: Node<'_>| value.kind() == Kind::Array && value.elements().len() == 0;
    node.members().any(|(key, value)| IDENTITY.contains(&key) && !is_empty_list(value))
}
