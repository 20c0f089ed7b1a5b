//! A date is written as `2026-06-04`, or with a time as `2026-06-04T16:25:00Z`.
//!
//! Agents must know when a policy ends. A date alone means the end of that day in UTC.

use actions_manifest::Rule;

pub(crate) static RULE: Rule = Rule::error("A2WF017", include_str!("a2wf017_not_a_date.rs"));
