//! A workflow's `version` is the number `1`.
//!
//! Breaks the rule:
//! ```json
//! { "workflow": { "expression_language": "jsonata", "steps": [] } }
//! ```
//!
//! Instead:
//! ```json
//! { "workflow": { "version": 1, "expression_language": "jsonata", "steps": [] } }
//! ```

use crate::rule::Rule;

pub(crate) static RULE: Rule = Rule::error("W001", include_str!("w001_workflow_version.rs")).shape();
