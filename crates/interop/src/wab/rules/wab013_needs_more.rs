//! A command needs no permission that the document does not grant.
//!
//! A permission that is absent is not granted, and the permission wins over the command: agents do not offer it.
//!
//! Breaks the rule:
//! ```json
//! { "commands": [{ "name": "viewMenu", "trigger": "navigate" }], "permissions": { "navigate": false } }
//! ```
//!
//! Instead: grant the permission, or remove the command.

use actions_manifest::Rule;

pub(crate) static RULE: Rule = Rule::warning("WAB013", include_str!("wab013_needs_more.rs"));
