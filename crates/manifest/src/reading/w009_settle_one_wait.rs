//! `settle_after` waits for exactly one thing.
//!
//! It is either an element in a state (`locator` with `state` and `timeout_ms`) or a pause (`delay_ms`). With both,
//! it would be unclear which one paces the step; with neither, there is nothing to wait for.
//!
//! Breaks the rule:
//! ```json
//! { "settle_after": { "locator": { "selector": "#done" }, "delay_ms": 500 } }
//! ```
//!
//! Instead:
//! ```json
//! { "settle_after": { "locator": { "selector": "#done" }, "timeout_ms": 5000 } }
//! ```

use crate::rule::Rule;

pub(crate) static RULE: Rule = Rule::error("W009", include_str!("w009_settle_one_wait.rs")).shape();
