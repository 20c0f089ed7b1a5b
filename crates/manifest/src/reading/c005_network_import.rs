//! A map is not fetched from the network unless the embedder says so.
//!
//! What a remote map declares tomorrow has not been reviewed today. The map is checked without it; nothing of it is
//! exposed.
//!
//! Breaks the rule:
//! ```json
//! { "id": "public-example", "uri": "https://example.org/actions.json", "namespace": "example" }
//! ```
//!
//! Instead: keep a reviewed copy beside the map and import that.

use crate::rule::Rule;

pub(crate) static RULE: Rule = Rule::warning("C005", include_str!("c005_network_import.rs"));
