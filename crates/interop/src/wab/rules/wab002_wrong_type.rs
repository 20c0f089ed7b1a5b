//! Every member has the type that the protocol says.
//!
//! An agent that reads a number where a text is expected has to guess.
//!
//! Breaks the rule:
//! ```json
//! { "security": { "max_rate": "60" } }
//! ```
//!
//! Instead: write `"max_rate": 60`.

use actions_manifest::Rule;

pub(crate) static RULE: Rule = Rule::error("WAB002", include_str!("wab002_wrong_type.rs"));
