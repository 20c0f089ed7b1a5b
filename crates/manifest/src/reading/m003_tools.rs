//! `tools` is an array.
//!
//! It may be empty, but it must be there: a map that forgot its tools and a map without tools are different things.
//!
//! Breaks the rule:
//! ```json
//! { "protocol": "actions.json", "version": 1, "tools": {} }
//! ```
//!
//! Instead:
//! ```json
//! { "protocol": "actions.json", "version": 1, "tools": [] }
//! ```

use crate::rule::Rule;

pub(crate) static RULE: Rule = Rule::error("M003", include_str!("m003_tools.rs")).shape();
