//! Sessions last at least 60 seconds, and at least one command a minute is allowed.
//!
//! Shorter sessions and lower limits leave an agent no room to work.
//!
//! Breaks the rule:
//! ```json
//! { "security": { "session_ttl": 5 } }
//! ```
//!
//! Instead: write a number that is large enough, or leave the member out: the defaults are 3600 and 60.

use actions_manifest::Rule;

pub(crate) static RULE: Rule = Rule::error("WAB008", include_str!("wab008_out_of_range.rs"));
