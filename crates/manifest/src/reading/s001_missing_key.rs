//! An object has the keys it must have.
//!
//! Breaks the rule:
//! ```json
//! { "name": "search.submit", "input_schema": { "type": "object" } }
//! ```
//!
//! Instead: add the key the finding names, here `"description"`.

use crate::rule::Rule;

pub(crate) static RULE: Rule = Rule::error("S001", include_str!("s001_missing_key.rs")).shape();
