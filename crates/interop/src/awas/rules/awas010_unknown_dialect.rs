//! The version is one that readers know: 1.x.
//!
//! Version 1.0 and 1.1 name members differently. A document of another major version is not read.
//!
//! Breaks the rule:
//! ```json
//! { "specVersion": "4.0" }
//! ```
//!
//! Instead: write the version that the document conforms to: `"version": "1.0"`, or `"specVersion": "1.1"`.

use actions_manifest::Rule;

pub(crate) static RULE: Rule = Rule::error("AWAS010", include_str!("awas010_unknown_dialect.rs"));
