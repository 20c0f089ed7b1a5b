//! A member has the type that the specification gives it.
//!
//! A value of another type could mean anything, so it is not used.
//!
//! Breaks the rule:
//! ```json
//! { "sideEffect": true }
//! ```
//!
//! Instead: write the type that the finding names, here one of `safe`, `idempotent` and `destructive`.

use actions_manifest::Rule;

pub(crate) static RULE: Rule = Rule::error("AWAS002", include_str!("awas002_wrong_type.rs"));
