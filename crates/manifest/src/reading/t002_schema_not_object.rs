//! `input_schema`, `result_schema`, `payload` and `output_schema` are JSON objects.
//!
//! Breaks the rule:
//! ```json
//! { "name": "search.submit", "input_schema": "object" }
//! ```
//!
//! Instead:
//! ```json
//! { "name": "search.submit", "input_schema": { "type": "object" } }
//! ```

use crate::rule::Rule;

pub(crate) static RULE: Rule = Rule::error("T002", include_str!("t002_schema_not_object.rs")).shape();
