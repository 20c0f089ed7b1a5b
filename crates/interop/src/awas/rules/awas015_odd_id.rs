//! An id of version 1.1 is lower-case letters, digits and `_`.
//!
//! Version 1.0 recommends `search-books`, version 1.1 allows `search_books` only.
//!
//! Breaks the rule:
//! ```json
//! { "specVersion": "1.1", "actions": [{ "id": "search-books" }] }
//! ```
//!
//! Instead: write `"id": "search_books"`.

use actions_manifest::Rule;

pub(crate) static RULE: Rule = Rule::warning("AWAS015", include_str!("awas015_odd_id.rs"));
