//! The address of the JSON Schema stands in `metadata`.
//!
//! Move `$schema` into `metadata`; at the top it is an unknown member, which agents ignore.

use actions_manifest::Rule;

pub(crate) static RULE: Rule = Rule::warning("A2WF011", include_str!("a2wf011_schema_at_top.rs"));
