//! `when`, `for_each` and `retry_until` are slots.
//!
//! A condition in plain text would be a non-empty string, and a non-empty string is always true.
//!
//! Breaks the rule:
//! ```json
//! { "when": "$exists(input.page)" }
//! ```
//!
//! Instead:
//! ```json
//! { "when": "{% $exists(input.page) %}" }
//! ```

use crate::rule::Rule;

pub(crate) static RULE: Rule = Rule::error("W011", include_str!("w011_condition_not_a_slot.rs")).shape();
