//! At least one transport is enabled.
//!
//! The schema of the protocol lets `"transport": {}` pass, but such a bridge cannot be reached.
//!
//! Breaks the rule:
//! ```json
//! { "transport": { "http": { "enabled": false } } }
//! ```
//!
//! Instead: enable a transport: `"http": { "enabled": true, "base_url": "/api/wab" }`.

use actions_manifest::Rule;

pub(crate) static RULE: Rule = Rule::error("WAB009", include_str!("wab009_no_transport.rs"));
