//! A manifest is smaller than 100 KB.
//!
//! Agents fetch it before they do anything.
//!
//! Breaks the rule:
//! ```json
//! { "actions": ["… 200 KB …"] }
//! ```
//!
//! Instead: publish the actions that agents need, with short descriptions.

use actions_manifest::Rule;

pub(crate) static RULE: Rule = Rule::warning("AWAS017", include_str!("awas017_too_large.rs"));
