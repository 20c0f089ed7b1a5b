//! `enum` is an array with at least one value.
//!
//! Otherwise no value would be allowed.
//!
//! Breaks the rule:
//! ```json
//! { "enum": [] }
//! ```
//!
//! Instead: list the values, or remove `enum`.

use actions_manifest::Rule;

pub(crate) static RULE: Rule = Rule::error("AWAS007", include_str!("awas007_empty_enum.rs"));
