//! An action has a description, says whether it needs authentication, and declares inputs and outputs.
//!
//! An agent plans by them. Lenient readers take `""`, `false` and `{}` for what is missing, and warn.
//!
//! Breaks the rule:
//! ```json
//! { "id": "search", "endpoint": "/api/search", "method": "GET" }
//! ```
//!
//! Instead: add the members that the finding names, here `"inputs": { "q": { "type": "string", "required": true } }`.

use actions_manifest::Rule;

pub(crate) static RULE: Rule = Rule::error("AWP009", include_str!("awp009_incomplete_action.rs"));
