//! Selectors are CSS.
//!
//! A selector that does not parse finds nothing. The action is left out by lenient readers.
//!
//! Breaks the rule:
//! ```json
//! { "selector": "input[name=" }
//! ```
//!
//! Instead: write a CSS selector, such as `input[name='q']`.

use actions_manifest::Rule;

pub(crate) static RULE: Rule = Rule::error("AWAS004", include_str!("awas004_invalid_selector.rs"));
