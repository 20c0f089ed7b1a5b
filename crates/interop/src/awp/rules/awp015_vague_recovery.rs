//! A recovery can be acted on by a machine.
//!
//! It names an endpoint or an action, or how long to wait.
//!
//! Breaks the rule:
//! ```json
//! { "errors": { "NO_SEAT": { "recovery": "try something else" } } }
//! ```
//!
//! Instead: write for example `"retry search_flights with another date"`.

use actions_manifest::Rule;

pub(crate) static RULE: Rule = Rule::advice("AWP015", include_str!("awp015_vague_recovery.rs"));
