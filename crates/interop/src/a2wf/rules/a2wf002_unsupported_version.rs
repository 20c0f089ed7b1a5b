//! A policy is written for version 1.0 of the standard.
//!
//! Version 1.1 is a draft with another form of `permissions`; it is read with `--experimental a2wf-1.1` only. Agents that
//! do not know a version treat the policy as invalid.
//!
//! Write `"specVersion": "1.0"`, as a string.

use actions_manifest::Rule;

pub(crate) static RULE: Rule = Rule::error("A2WF002", include_str!("a2wf002_unsupported_version.rs"));
