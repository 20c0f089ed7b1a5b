//! A permission has a key of the standard.
//!
//! Agents classify what they do by the keys of the standard. A key of your own counts only for tools whose name is
//! exactly that key, so most agents will never see what it denies.
//!
//! Use the key of the standard that comes closest, such as `action.submitContactForm` instead of `action.sendMail`.

use actions_manifest::Rule;

pub(crate) static RULE: Rule = Rule::warning("A2WF008", include_str!("a2wf008_unknown_permission.rs"));
