//! Methods, protocols and kinds of authentication are words that agents know.
//!
//! A word of its own is allowed, but few agents will act on it. A protocol of your own may begin with `x-`.
//!
//! Breaks the rule:
//! ```json
//! { "auth": { "type": "magic" } }
//! ```
//!
//! Instead: use one of the words that the finding lists.

use actions_manifest::Rule;

pub(crate) static RULE: Rule = Rule::warning("AWP008", include_str!("awp008_unusual_word.rs"));
