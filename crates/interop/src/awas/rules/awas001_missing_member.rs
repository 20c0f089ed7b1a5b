//! Required members are there: at the root, in actions, parameters and results.
//!
//! A reader cannot guess them. Lenient readers pass over what a call does not need, such as a missing name, and warn.
//!
//! Breaks the rule:
//! ```json
//! { "version": "1.0", "actions": [{ "id": "search" }] }
//! ```
//!
//! Instead: add the member that the finding names.

use actions_manifest::Rule;

pub(crate) static RULE: Rule = Rule::error("AWAS001", include_str!("awas001_missing_member.rs"));
