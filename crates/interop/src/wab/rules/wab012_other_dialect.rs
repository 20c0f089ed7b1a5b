//! The document uses the members that the protocol names.
//!
//! Published bridges use other members, such as `site` for `provider`. They are understood when documents are read leniently.
//!
//! Breaks the rule:
//! ```json
//! { "site": { "name": "Shop" } }
//! ```
//!
//! Instead: write `"provider": { … }`.

use actions_manifest::Rule;

pub(crate) static RULE: Rule = Rule::error("WAB012", include_str!("wab012_other_dialect.rs"));
