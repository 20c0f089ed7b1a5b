//! The window of a rate limit is a number and one of s, m, h and d.
//!
//! A limit that cannot be read cannot be kept.
//!
//! Breaks the rule:
//! ```json
//! { "rateLimit": { "requests": 10, "window": "1 fortnight" } }
//! ```
//!
//! Instead: write `"window": "14d"`.

use actions_manifest::Rule;

pub(crate) static RULE: Rule = Rule::error("AWAS006", include_str!("awas006_unreadable_limit.rs"));
