//! Types, formats and kinds are words of the specification.
//!
//! A word that nobody knows is passed over: a type is then `string`, a result is read as a list.
//!
//! Breaks the rule:
//! ```json
//! { "type": "text" }
//! ```
//!
//! Instead: use one of the words that the finding lists.

use actions_manifest::Rule;

pub(crate) static RULE: Rule = Rule::warning("AWAS008", include_str!("awas008_unknown_word.rs"));
