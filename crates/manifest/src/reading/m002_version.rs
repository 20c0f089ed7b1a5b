//! `version` is the number `1`.
//!
//! It is the version of the format, not of the map; the map's own revision belongs in `provenance.revision`.
//! The lenient profile accepts the working titles some published maps carry, such as `"0.1.0-working"`, with a warning.
//!
//! Breaks the rule:
//! ```json
//! { "protocol": "actions.json", "version": "1.0", "tools": [] }
//! ```
//!
//! Instead:
//! ```json
//! { "protocol": "actions.json", "version": 1, "tools": [] }
//! ```

use crate::rule::Rule;

pub(crate) static RULE: Rule = Rule::error("M002", include_str!("m002_version.rs")).shape();
