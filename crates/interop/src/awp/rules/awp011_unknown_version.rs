//! The version is one that readers know: 0.x.
//!
//! A new minor version adds members only. Of a new major version, what is understood is used and the rest is passed over.
//!
//! Breaks the rule:
//! ```json
//! { "awp_version": "7.0" }
//! ```
//!
//! Instead: write the version that the document really conforms to, such as `"0.2"`.

use actions_manifest::Rule;

pub(crate) static RULE: Rule = Rule::warning("AWP011", include_str!("awp011_unknown_version.rs"));
