//! A value has the JSON type the format gives it.
//!
//! Numbers are not accepted as strings, nor single values as lists: what a reviewer reads is what runs.
//!
//! Breaks the rule:
//! ```json
//! { "rate_limit_ms": "1000" }
//! ```
//!
//! Instead:
//! ```json
//! { "rate_limit_ms": 1000 }
//! ```

use crate::rule::Rule;

pub(crate) static RULE: Rule = Rule::error("S002", include_str!("s002_wrong_type.rs")).shape();
