//! Members that hold addresses hold whole addresses.
//!
//! `provider.url`, `agent_access.api_fallback` and `transport.websocket.url` are absolute, so that they mean the same wherever the document is read.
//!
//! Breaks the rule:
//! ```json
//! { "provider": { "url": "shop.example" } }
//! ```
//!
//! Instead: write `"url": "https://shop.example"`.

use actions_manifest::Rule;

pub(crate) static RULE: Rule = Rule::error("WAB011", include_str!("wab011_not_an_address.rs"));
