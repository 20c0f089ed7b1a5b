//! Actions and parameters are described.
//!
//! Agents choose by the description. The specification asks for it and leaves it out in its own examples, so it is never an error.
//!
//! Breaks the rule:
//! ```json
//! { "name": "sort", "type": "string", "required": false }
//! ```
//!
//! Instead: add `"description": "The order of the results"`.

use actions_manifest::Rule;

pub(crate) static RULE: Rule = Rule::warning("AWAS012", include_str!("awas012_no_description.rs"));
