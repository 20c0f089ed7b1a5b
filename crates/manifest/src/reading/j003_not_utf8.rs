//! A manifest is encoded in UTF-8.
//!
//! JSON exchanged between programs is UTF-8. The finding gives the offset of the first byte that is not.
//!
//! Instead: save the file as UTF-8.

use crate::rule::Rule;

pub(crate) static RULE: Rule = Rule::error("J003", include_str!("j003_not_utf8.rs"));
