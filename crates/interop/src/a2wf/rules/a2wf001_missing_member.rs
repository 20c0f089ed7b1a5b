//! A policy has the members that the standard requires.
//!
//! These are `specVersion`, `identity` with `domain`, `name` and `inLanguage`, `permissions`, and `allowed` in each
//! permission. Agents that find one missing treat the whole policy as invalid: what it denies still counts, and nothing
//! that it grants does.
//!
//! Instead of `"search": {}` write `"search": { "allowed": true }`.

use actions_manifest::Rule;

pub(crate) static RULE: Rule = Rule::error("A2WF001", include_str!("a2wf001_missing_member.rs"));
