//! The addresses in a policy are absolute.
//!
//! A policy is kept and passed on without the place where it was found, so a relative address means nothing.
//!
//! Instead of `"termsUrl": "/terms"` write `"termsUrl": "https://example.com/terms"`.

use actions_manifest::Rule;

pub(crate) static RULE: Rule = Rule::error("A2WF016", include_str!("a2wf016_relative_address.rs"));
