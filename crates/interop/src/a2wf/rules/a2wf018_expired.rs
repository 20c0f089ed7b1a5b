//! A policy has not expired.
//!
//! After `metadata.expiresAt`, agents obey what the policy denies and no longer do what it allows.
//!
//! Review the policy and move the date, or remove it.

use actions_manifest::Rule;

pub(crate) static RULE: Rule = Rule::warning("A2WF018", include_str!("a2wf018_expired.rs"));
