//! Addresses are well formed, and of the web.
//!
//! An action whose address cannot be read, or that is not http or https, cannot be called. It is left out by lenient readers.
//!
//! Breaks the rule:
//! ```json
//! { "path": "tel:+123456" }
//! ```
//!
//! Instead: write a path such as `/search`, or an http address.

use actions_manifest::Rule;

pub(crate) static RULE: Rule = Rule::error("AWAS005", include_str!("awas005_invalid_address.rs"));
