//! The language of a policy is a BCP 47 tag.
//!
//! Instead of `"inLanguage": "German"` write `"inLanguage": "de"`, or `"de-CH"` with a region.

use actions_manifest::Rule;

pub(crate) static RULE: Rule = Rule::error("A2WF005", include_str!("a2wf005_not_a_language.rs"));
