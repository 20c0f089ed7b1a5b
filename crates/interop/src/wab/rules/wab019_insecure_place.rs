//! Bridges that need a session are reached with TLS.
//!
//! The token of a session is worth as much as the key that began it, and anyone on the way can read it without TLS. Agents send none.
//!
//! Breaks the rule:
//! ```json
//! { "transport": { "websocket": { "enabled": true, "url": "ws://shop.example/ws" } } }
//! ```
//!
//! Instead: write `wss://` and `https://`.

use actions_manifest::Rule;

pub(crate) static RULE: Rule = Rule::warning("WAB019", include_str!("wab019_insecure_place.rs"));
