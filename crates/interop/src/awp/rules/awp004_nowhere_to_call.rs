//! An action says where it is called: `endpoint` and `method`, or `via`.
//!
//! Without them there is nothing to send a request to.
//!
//! Breaks the rule:
//! ```json
//! { "id": "search", "description": "Searches." }
//! ```
//!
//! Instead: add `"endpoint": "/api/search", "method": "GET"`.

use actions_manifest::Rule;

pub(crate) static RULE: Rule = Rule::error("AWP004", include_str!("awp004_nowhere_to_call.rs"));
