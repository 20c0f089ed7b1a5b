//! A policy says when it was last changed.
//!
//! Agents and people who compare two copies need `metadata.lastUpdated`, such as `"2026-06-04"`.

use actions_manifest::Rule;

pub(crate) static RULE: Rule = Rule::warning("A2WF014", include_str!("a2wf014_no_date.rs"));
