//! A permission with `humanVerification` is listed in `requiredFor` too.
//!
//! Either of the two is enough for agents that follow the standard. A policy that says it in one place only may be read
//! by others as if it said it nowhere.
//!
//! Add the key to `humanVerification.requiredFor`.

use actions_manifest::Rule;

pub(crate) static RULE: Rule = Rule::warning("A2WF010", include_str!("a2wf010_verification_not_listed.rs"));
