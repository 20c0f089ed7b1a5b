//! Arrays and objects nest at most 128 levels deep.
//!
//! Deeper documents exhaust the stack of many readers. No map needs a fifth of this.
//!
//! Instead: flatten the value, or look for a generator that runs away.

use crate::rule::Rule;

pub(crate) static RULE: Rule = Rule::error("J006", include_str!("j006_nested_too_deep.rs"));
