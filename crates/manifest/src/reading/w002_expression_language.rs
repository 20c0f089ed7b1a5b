//! The language of expressions is `"jsonata"`.
//!
//! It is said in the map, so that a future language cannot be mistaken for this one.
//!
//! Breaks the rule:
//! ```json
//! { "workflow": { "version": 1, "expression_language": "javascript", "steps": [] } }
//! ```
//!
//! Instead:
//! ```json
//! { "workflow": { "version": 1, "expression_language": "jsonata", "steps": [] } }
//! ```

use crate::rule::Rule;

pub(crate) static RULE: Rule = Rule::error("W002", include_str!("w002_expression_language.rs")).shape();
