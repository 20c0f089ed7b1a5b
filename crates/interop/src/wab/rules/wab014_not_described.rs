//! Every command is described, and not only named.
//!
//! An agent that does not know the parameters of a command cannot call it.
//!
//! Breaks the rule:
//! ```json
//! { "commands": ["search"] }
//! ```
//!
//! Instead: describe the command: its `description`, its `trigger` and its `params`.

use actions_manifest::Rule;

pub(crate) static RULE: Rule = Rule::error("WAB014", include_str!("wab014_not_described.rs"));
