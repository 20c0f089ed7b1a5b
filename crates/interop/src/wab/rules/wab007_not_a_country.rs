//! A country is two capital letters.
//!
//! They are the codes of ISO 3166-1.
//!
//! Breaks the rule:
//! ```json
//! { "location": { "country": "Jordan" } }
//! ```
//!
//! Instead: write `"country": "JO"`.

use actions_manifest::Rule;

pub(crate) static RULE: Rule = Rule::error("WAB007", include_str!("wab007_not_a_country.rs"));
