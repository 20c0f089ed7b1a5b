//! Every action has an id.
//!
//! Agents, errors and dependencies name an action by it.
//!
//! Breaks the rule:
//! ```json
//! { "actions": [{ "endpoint": "/api/search", "method": "GET" }] }
//! ```
//!
//! Instead: add `"id": "search"`.

use actions_manifest::Rule;

pub(crate) static RULE: Rule = Rule::error("AWP003", include_str!("awp003_action_without_id.rs"));
