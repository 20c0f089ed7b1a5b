//! A manifest is a JSON object.
//!
//! Breaks the rule:
//! ```json
//! []
//! ```
//!
//! Instead:
//! ```json
//! { "protocol": "actions.json", "version": 1, "tools": [] }
//! ```

use crate::rule::Rule;

pub(crate) static RULE: Rule = Rule::error("J007", include_str!("j007_root_not_object.rs")).shape();
