//! An attachment has a lifecycle.
//!
//! Something that is put on a page must say when it comes and when it goes.
//!
//! Breaks the rule:
//! ```json
//! { "id": "categories", "kind": "overlay_launcher", "target": { "selector": "h2" } }
//! ```
//!
//! Instead: add `"lifecycle": { "install": "when_target_matches", "remove": "when_context_mismatch" }`.

use crate::rule::Rule;

pub(crate) static RULE: Rule =
    Rule::error("X002", include_str!("x002_attachment_without_lifecycle.rs")).shape();
