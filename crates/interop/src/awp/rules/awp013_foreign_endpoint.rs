//! An endpoint is of the declared domain or of a host below it.
//!
//! A document of one site must not send agents, and their credentials, to another one. The action is left out.
//!
//! Breaks the rule:
//! ```json
//! { "domain": "shop.example", "actions": [{ "id": "pay", "endpoint": "https://other.example/pay", "method": "POST" }] }
//! ```
//!
//! Instead: serve the endpoint below the own domain, or publish the action where it belongs.

use actions_manifest::Rule;

pub(crate) static RULE: Rule = Rule::warning("AWP013", include_str!("awp013_foreign_endpoint.rs"));
