//! A type is one of the protocol, or an entity that the document declares.
//!
//! A word that nobody declares is read as `string`.
//!
//! Breaks the rule:
//! ```json
//! { "inputs": { "origin": { "type": "airport_code" } } }
//! ```
//!
//! Instead: write `string`, and say in `description` what the text is.

use actions_manifest::Rule;

pub(crate) static RULE: Rule = Rule::advice("AWP010", include_str!("awp010_unknown_type.rs"));
