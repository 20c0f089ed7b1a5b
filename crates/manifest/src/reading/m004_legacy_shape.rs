//! A section has the shape of schema version 1.
//!
//! Some published maps write `surface` as a string, `states` as an object, `requires` as an empty array, or keep
//! prose recipes under `workflows`. Version 1 has none of these. The lenient profile passes over such a section
//! with a warning; nothing in it takes effect.
//!
//! Breaks the rule:
//! ```json
//! { "surface": "inbox" }
//! ```
//!
//! Instead:
//! ```json
//! { "surface": { "origin": "https://mail.example", "name": "inbox" } }
//! ```

use crate::rule::Rule;

pub(crate) static RULE: Rule = Rule::error("M004", include_str!("m004_legacy_shape.rs")).shape();
