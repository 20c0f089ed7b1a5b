//! The version of the protocol is 1.0.
//!
//! Agents stop at a version that they do not know. Versions that begin with `1.` are read with a warning when documents are read leniently.
//!
//! Breaks the rule:
//! ```json
//! { "wab_version": "2.0" }
//! ```
//!
//! Instead: write `"wab_version": "1.0"`.

use actions_manifest::Rule;

pub(crate) static RULE: Rule = Rule::error("WAB003", include_str!("wab003_unsupported_version.rs"));
