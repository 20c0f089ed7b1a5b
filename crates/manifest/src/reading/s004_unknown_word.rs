//! A value is one of the words the format lists for it.
//!
//! Breaks the rule:
//! ```json
//! { "severity": "high" }
//! ```
//!
//! Instead:
//! ```json
//! { "severity": "major" }
//! ```

use crate::rule::Rule;

pub(crate) static RULE: Rule = Rule::error("S004", include_str!("s004_unknown_word.rs")).shape();
