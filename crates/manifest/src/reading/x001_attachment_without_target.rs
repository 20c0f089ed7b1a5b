//! An attachment has a target.
//!
//! It is installed on the page and must say where.
//!
//! Breaks the rule:
//! ```json
//! { "id": "categories", "kind": "overlay_launcher", "lifecycle": { "install": "when_target_matches" } }
//! ```
//!
//! Instead: add `"target": { "selector": "h2", "text_contains": "Results" }`.

use crate::rule::Rule;

pub(crate) static RULE: Rule = Rule::error("X001", include_str!("x001_attachment_without_target.rs")).shape();
