//! Members have the names of the specification.
//!
//! Published manifests write other names for the same thing. Lenient readers know some of them; others find nothing.
//!
//! Breaks the rule:
//! ```json
//! { "action_id": "search", "http_method": "GET" }
//! ```
//!
//! Instead: write the name that the finding gives, here `"id"` and `"method"`.

use actions_manifest::Rule;

pub(crate) static RULE: Rule = Rule::error("AWAS009", include_str!("awas009_alias.rs"));
