//! A member with a fixed set of words has one of them.
//!
//! Agents cannot guess what `"agentAccess": "closed"` means, so they treat the policy as invalid. The message names the
//! words that are known.
//!
//! Write `"agentAccess": "restricted"`.

use actions_manifest::Rule;

pub(crate) static RULE: Rule = Rule::error("A2WF006", include_str!("a2wf006_unknown_word.rs"));
