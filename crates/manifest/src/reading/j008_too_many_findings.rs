//! A manifest has at most 20,000 findings.
//!
//! With more of them it is no map that anyone wrote, and listing them would fill the memory. It is rejected, whatever the
//! severity of the findings is.
//!
//! Instead: mend what is listed, then validate again.

use crate::rule::Rule;

pub(crate) static RULE: Rule = Rule::error("J008", include_str!("j008_too_many_findings.rs"));
