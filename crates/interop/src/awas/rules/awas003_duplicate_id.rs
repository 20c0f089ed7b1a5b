//! Every action has an id of its own.
//!
//! With two actions of one id nobody knows which one is meant.
//!
//! Breaks the rule:
//! ```json
//! { "actions": [{ "id": "search" }, { "id": "search" }] }
//! ```
//!
//! Instead: give one of them another id.

use actions_manifest::Rule;

pub(crate) static RULE: Rule = Rule::error("AWAS003", include_str!("awas003_duplicate_id.rs"));
