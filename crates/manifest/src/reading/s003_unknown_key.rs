//! An object has no keys the format does not know.
//!
//! A misspelt key would be silently without effect. Keys that begin with `x_` are free for your own use. The lenient
//! profile reports unknown keys as warnings.
//!
//! Breaks the rule:
//! ```json
//! { "name": "search.submit", "descripton": "Submits the search form." }
//! ```
//!
//! Instead: correct the key, or prefix it with `x_` if it is your own.

use crate::rule::Rule;

pub(crate) static RULE: Rule = Rule::error("S003", include_str!("s003_unknown_key.rs")).shape();
