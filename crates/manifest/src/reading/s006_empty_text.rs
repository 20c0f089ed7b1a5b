//! Text that must say something is not empty.
//!
//! Descriptions are what reviewers and agents decide by.
//!
//! Breaks the rule:
//! ```json
//! { "name": "search.submit", "description": "" }
//! ```
//!
//! Instead: say in one sentence what the action does.

use crate::rule::Rule;

pub(crate) static RULE: Rule = Rule::error("S006", include_str!("s006_empty_text.rs")).shape();
