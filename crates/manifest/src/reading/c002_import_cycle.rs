//! Imports do not run in a circle.
//!
//! A map that imports itself, directly or through others, would never be fully read.
//!
//! Instead: move what both maps need into a third one and import that.

use crate::rule::Rule;

pub(crate) static RULE: Rule = Rule::error("C002", include_str!("c002_import_cycle.rs"));
