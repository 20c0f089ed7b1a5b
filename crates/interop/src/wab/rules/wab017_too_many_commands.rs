//! There are no more than 1,000 commands.
//!
//! A document with more is not made for agents.
//!
//! Breaks the rule:
//! ```json
//! { "commands": [ … 5,000 commands … ] }
//! ```
//!
//! Instead: offer fewer commands, and tell the rest apart by parameters.

use actions_manifest::Rule;

pub(crate) static RULE: Rule = Rule::error("WAB017", include_str!("wab017_too_many_commands.rs"));
