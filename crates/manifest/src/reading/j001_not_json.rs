//! A manifest is one JSON document.
//!
//! The text is read as strict JSON (RFC 8259): no comments, no trailing commas, no single quotes. The finding stands
//! where reading stopped, which is at or just after the mistake.
//!
//! Breaks the rule:
//! ```json
//! { "protocol": "actions.json", "version": 1, "tools": [], }
//! ```
//!
//! Instead:
//! ```json
//! { "protocol": "actions.json", "version": 1, "tools": [] }
//! ```

use crate::rule::Rule;

pub(crate) static RULE: Rule = Rule::error("J001", include_str!("j001_not_json.rs"));
