//! A policy that describes its search allows it.
//!
//! The member `search` tells agents how to search, while `permissions.action.search` does not allow it. Agents obey the
//! permission.
//!
//! Allow `action.search`, or remove the member.

use actions_manifest::Rule;

pub(crate) static RULE: Rule = Rule::warning("A2WF015", include_str!("a2wf015_search_without_permission.rs"));
