//! A number is whole and within its bounds.
//!
//! Loops, retries, waits and byte budgets are bounded so that a map cannot run or grow without end.
//!
//! Breaks the rule:
//! ```json
//! { "for_each": "{% input.ids %}", "max_items": 500 }
//! ```
//!
//! Instead:
//! ```json
//! { "for_each": "{% input.ids %}", "max_items": 50 }
//! ```

use crate::rule::Rule;

pub(crate) static RULE: Rule = Rule::error("S005", include_str!("s005_out_of_bounds.rs")).shape();
