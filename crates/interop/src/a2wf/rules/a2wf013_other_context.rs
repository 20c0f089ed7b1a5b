//! The context of a policy is schema.org.
//!
//! Write `"@context": "https://schema.org"`, or leave it out.

use actions_manifest::Rule;

pub(crate) static RULE: Rule = Rule::warning("A2WF013", include_str!("a2wf013_other_context.rs"));
