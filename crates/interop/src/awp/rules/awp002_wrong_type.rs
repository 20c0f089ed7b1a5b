//! A member has the type that the protocol gives it.
//!
//! A value of another type could mean anything, so what it stands in is not used.
//!
//! Breaks the rule:
//! ```json
//! { "actions": { "search": {} } }
//! ```
//!
//! Instead: write the type that the finding names, here an array of actions.

use actions_manifest::Rule;

pub(crate) static RULE: Rule = Rule::error("AWP002", include_str!("awp002_wrong_type.rs"));
