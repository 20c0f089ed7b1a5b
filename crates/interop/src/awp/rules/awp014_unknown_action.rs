//! What names an action names one of the document.
//!
//! `dependencies`, `auth.required_for`, `auth.optional_for` and `agent_status.degraded_actions` list ids.
//!
//! Breaks the rule:
//! ```json
//! { "dependencies": { "book": ["serch"] }, "actions": [{ "id": "search" }, { "id": "book" }] }
//! ```
//!
//! Instead: correct the id, or remove it.

use actions_manifest::Rule;

pub(crate) static RULE: Rule = Rule::warning("AWP014", include_str!("awp014_unknown_action.rs"));
