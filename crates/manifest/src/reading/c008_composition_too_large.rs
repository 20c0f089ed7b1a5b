//! A map and its imports are at most 64 maps, 16 MiB and 10,000 tools together.
//!
//! A map that is imported twice counts twice. A few small maps that import each other's imports could otherwise become
//! millions.
//!
//! Instead: import each map once, from the map that needs it. Give a surface of its own to each part of a large site.

use crate::rule::Rule;

pub(crate) static RULE: Rule = Rule::error("C008", include_str!("c008_composition_too_large.rs"));
