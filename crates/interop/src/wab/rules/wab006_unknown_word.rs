//! Triggers, types and tiers are words of the protocol.
//!
//! A trigger decides which permission a command needs; a type decides what an agent may send.
//!
//! Breaks the rule:
//! ```json
//! { "trigger": "tap" }
//! ```
//!
//! Instead: use one of the words that the finding lists.

use actions_manifest::Rule;

pub(crate) static RULE: Rule = Rule::error("WAB006", include_str!("wab006_unknown_word.rs"));
