//! The transports are on the site itself.
//!
//! Credentials for one site are not sent to another one, so agents leave such a transport out.
//!
//! Breaks the rule:
//! ```json
//! { "provider": { "url": "https://shop.example" }, "transport": { "websocket": { "enabled": true, "url": "wss://other.example/ws" } } }
//! ```
//!
//! Instead: serve the bridge on the host of the site, or below it.

use actions_manifest::Rule;

pub(crate) static RULE: Rule = Rule::warning("WAB016", include_str!("wab016_foreign_place.rs"));
