//! An `agent.json` says its version, its domain, its intent and its actions.
//!
//! Without them a reader cannot know that the document is of this protocol, and for which site it speaks.
//!
//! Breaks the rule:
//! ```json
//! { "awp_version": "0.2", "actions": [] }
//! ```
//!
//! Instead: add the member that the finding names, here `"domain": "shop.example"`.

use actions_manifest::Rule;

pub(crate) static RULE: Rule = Rule::error("AWP001", include_str!("awp001_missing_member.rs"));
