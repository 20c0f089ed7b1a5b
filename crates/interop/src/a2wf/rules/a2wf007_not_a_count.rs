//! A limit is a whole number that is not negative.
//!
//! Limits count requests a minute or an hour. Zero means never.
//!
//! Instead of `"rateLimit": 0.5` write `"maxRequestsPerHour": 30`, or a `rateLimit` of 1.

use actions_manifest::Rule;

pub(crate) static RULE: Rule = Rule::error("A2WF007", include_str!("a2wf007_not_a_count.rs"));
