//! What needs human verification is a permission.
//!
//! A name in `humanVerification.requiredFor` that is no key of the standard and no permission of this policy means
//! nothing to agents.
//!
//! Write the key without its group: `"requiredFor": ["checkout"]`.

use actions_manifest::Rule;

pub(crate) static RULE: Rule = Rule::warning("A2WF009", include_str!("a2wf009_unknown_verification.rs"));
