//! A key stands once in its object.
//!
//! Readers of JSON disagree about which of two equal keys wins, so a reviewer could approve one value while another
//! one runs.
//!
//! Breaks the rule:
//! ```json
//! { "protocol": "actions.json", "version": 1, "tools": [], "tools": [] }
//! ```
//!
//! Instead: keep one of the two.

use crate::rule::Rule;

pub(crate) static RULE: Rule = Rule::error("J002", include_str!("j002_duplicate_key.rs"));
