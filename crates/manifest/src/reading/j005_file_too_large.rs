//! A manifest has at most 16 MiB.
//!
//! The largest maps in use have less than half a megabyte. A larger file is a mistake or an attack, and is not read.
//!
//! Instead: split the map by surface and compose the parts with `imports`.

use crate::rule::Rule;

pub(crate) static RULE: Rule = Rule::error("J005", include_str!("j005_file_too_large.rs"));
