//! A member of a policy has the type that the standard gives it.
//!
//! `"allowed": "no"` is a string, and a string is neither a grant nor a prohibition that an agent can rely on.
//!
//! Write `"allowed": false`.

use actions_manifest::Rule;

pub(crate) static RULE: Rule = Rule::error("A2WF003", include_str!("a2wf003_wrong_type.rs"));
