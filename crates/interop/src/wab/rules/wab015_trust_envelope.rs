//! The document has capabilities, and is not a signed statement about another one.
//!
//! An envelope with `payload` and `signature` says who is trusted, and not what can be called.
//!
//! Breaks the rule:
//! ```json
//! { "payload": {}, "signature": "…" }
//! ```
//!
//! Instead: publish the discovery document itself at `/agent-bridge.json`.

use actions_manifest::Rule;

pub(crate) static RULE: Rule = Rule::error("WAB015", include_str!("wab015_trust_envelope.rs"));
