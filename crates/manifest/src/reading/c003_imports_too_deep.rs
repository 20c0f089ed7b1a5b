//! Imports nest at most eight levels deep.
//!
//! A reviewer must be able to see where a name comes from.
//!
//! Instead: import the inner map directly.

use crate::rule::Rule;

pub(crate) static RULE: Rule = Rule::error("C003", include_str!("c003_imports_too_deep.rs"));
