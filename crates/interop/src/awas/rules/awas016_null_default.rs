//! A default is a value that a call can use.
//!
//! `null` as the default of a required parameter means nothing, and is passed over.
//!
//! Breaks the rule:
//! ```json
//! { "name": "email", "required": true, "default": null }
//! ```
//!
//! Instead: remove `default`.

use actions_manifest::Rule;

pub(crate) static RULE: Rule = Rule::advice("AWAS016", include_str!("awas016_null_default.rs"));
