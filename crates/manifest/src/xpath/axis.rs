//! The axes and node tests of XPath 1.0.

/// The axes of XPath 1.0.
pub(super) const AXES: &[&str] = &[
    "ancestor",
    "ancestor-or-self",
    "attribute",
    "child",
    "descendant",
    "descendant-or-self",
    "following",
    "following-sibling",
    "namespace",
    "parent",
    "preceding",
    "preceding-sibling",
    "self",
];

/// The node tests that are written like functions.
pub(super) const NODE_TYPES: &[&str] = &["comment", "node", "processing-instruction", "text"];
