//! The members that every discovery document has are there.
//!
//! Agents need the version, who provides the site, what it can do, and how it is reached; a command needs a name, a description, a trigger and its parameters.
//!
//! Breaks the rule:
//! ```json
//! { "wab_version": "1.0", "capabilities": { "commands": [], "permissions": {} } }
//! ```
//!
//! Instead: add `provider` and `transport`.

use actions_manifest::Rule;

pub(crate) static RULE: Rule = Rule::error("WAB001", include_str!("wab001_missing_member.rs"));
