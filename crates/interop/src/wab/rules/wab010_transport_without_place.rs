//! An enabled WebSocket has a `url`, and enabled HTTP has a `base_url`.
//!
//! Without them agents know that the transport exists and not where it is.
//!
//! Breaks the rule:
//! ```json
//! { "transport": { "websocket": { "enabled": true } } }
//! ```
//!
//! Instead: add `"url": "wss://shop.example/ws/wab"`.

use actions_manifest::Rule;

pub(crate) static RULE: Rule = Rule::error("WAB010", include_str!("wab010_transport_without_place.rs"));
