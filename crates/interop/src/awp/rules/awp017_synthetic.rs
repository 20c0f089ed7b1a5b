//! A document that the site did not write says who made it, when, and how sure they are.
//!
//! Such a document is used only when the caller accepts that.
//!
//! Breaks the rule:
//! ```json
//! { "source": "synthetic" }
//! ```
//!
//! Instead: add `"generated_by"`, `"confidence"` and `"last_verified"`; better, let the site publish its own.

use actions_manifest::Rule;

pub(crate) static RULE: Rule = Rule::warning("AWP017", include_str!("awp017_synthetic.rs"));
