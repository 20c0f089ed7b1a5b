//! Only GET and HEAD are safe.
//!
//! `sideEffect` is `safe` when it is absent, so it is not believed for methods that change something.
//!
//! Breaks the rule:
//! ```json
//! { "method": "POST", "sideEffect": "safe" }
//! ```
//!
//! Instead: write `"sideEffect": "idempotent"` or `"destructive"`, or use GET.

use actions_manifest::Rule;

pub(crate) static RULE: Rule = Rule::warning("AWAS013", include_str!("awas013_doubtful_effect.rs"));
