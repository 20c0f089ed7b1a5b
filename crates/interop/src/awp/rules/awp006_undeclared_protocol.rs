//! `via` names a protocol that the document declares.
//!
//! An agent learns from `protocols` how the action is reached.
//!
//! Breaks the rule:
//! ```json
//! { "protocols": {}, "actions": [{ "id": "pay", "via": "mcp" }] }
//! ```
//!
//! Instead: declare the protocol, here `"protocols": { "mcp": { "version": "2025-06-18", "endpoint": "https://mcp.shop.example" } }`.

use actions_manifest::Rule;

pub(crate) static RULE: Rule = Rule::error("AWP006", include_str!("awp006_undeclared_protocol.rs"));
