//! `protocol` is `"actions.json"`.
//!
//! It says that the file is meant for this format; nothing else in a file is trusted before it is there.
//!
//! Breaks the rule:
//! ```json
//! { "protocol": "actions", "version": 1, "tools": [] }
//! ```
//!
//! Instead:
//! ```json
//! { "protocol": "actions.json", "version": 1, "tools": [] }
//! ```

use crate::rule::Rule;

pub(crate) static RULE: Rule = Rule::error("M001", include_str!("m001_protocol.rs")).shape();
