//! The top of a policy has the members of the standard.
//!
//! Agents ignore what they do not know, so a misspelt `permision` is a policy without permissions. Names that begin with
//! `x-` are yours.

use actions_manifest::Rule;

pub(crate) static RULE: Rule = Rule::warning("A2WF012", include_str!("a2wf012_unknown_member.rs"));
