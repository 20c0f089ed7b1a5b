//! No two commands have the same name.
//!
//! An agent calls a command by its name alone.
//!
//! Breaks the rule:
//! ```json
//! { "commands": [{ "name": "search" }, { "name": "search" }] }
//! ```
//!
//! Instead: give one of them another name.

use actions_manifest::Rule;

pub(crate) static RULE: Rule = Rule::error("WAB005", include_str!("wab005_duplicate_command.rs"));
