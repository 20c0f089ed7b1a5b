//! A rate limit is a number and a unit of time: `30/minute`.
//!
//! A limit that cannot be read cannot be kept.
//!
//! Breaks the rule:
//! ```json
//! { "rate_limit": "a few times" }
//! ```
//!
//! Instead: write `"rate_limit": "30/minute"`.

use actions_manifest::Rule;

pub(crate) static RULE: Rule = Rule::warning("AWP016", include_str!("awp016_unreadable_limit.rs"));
