//! A manifest has at most 1,000 actions.
//!
//! More of them could not be reviewed by anybody, and an agent could not choose among them.
//!
//! Breaks the rule:
//! ```json
//! { "actions": ["… 100,000 of them …"] }
//! ```
//!
//! Instead: publish the actions that agents need.

use actions_manifest::Rule;

pub(crate) static RULE: Rule = Rule::error("AWAS014", include_str!("awas014_too_many_actions.rs"));
