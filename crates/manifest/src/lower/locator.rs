//! Recognises locators by the key they stand under.

use crate::document::{Kind, Node};

/// Whether a value is a locator by the key it stands under.
pub(crate) fn is_locator(node: Node<'_>) -> bool {
    node.kind() == Kind::Object && matches!(node.key(), Some("locator" | "within" | "has" | "not"))
}

/// Whether a value is the `timeout_ms` of a locator, which belongs beside it. The lenient profile ignores it.
pub(crate) fn is_misplaced_timeout(node: Node<'_>) -> bool {
    node.key() == Some("timeout_ms") && node.parent().is_some_and(is_locator)
}
