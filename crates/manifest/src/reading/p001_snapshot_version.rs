//! A snapshot's `version` is the number `1`.
//!
//! Breaks the rule:
//! ```json
//! { "snapshot": { "version": 2, "source": "dom", "extract": [] } }
//! ```
//!
//! Instead:
//! ```json
//! { "snapshot": { "version": 1, "source": "dom", "extract": [] } }
//! ```

use crate::rule::Rule;

pub(crate) static RULE: Rule = Rule::error("P001", include_str!("p001_snapshot_version.rs")).shape();
