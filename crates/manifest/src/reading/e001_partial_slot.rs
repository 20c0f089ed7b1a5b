//! A slot is the whole string.
//!
//! A string is either plain text or one `{% … %}` slot. A mixture would have to be pasted together, and pasting is how
//! quoting goes wrong; JSONata joins text by itself. Keys are never evaluated, so they hold no marks either.
//!
//! Breaks the rule:
//! ```json
//! { "url": "https://example.com/search?q={% input.query %}" }
//! ```
//!
//! Instead:
//! ```json
//! { "url": "{% 'https://example.com/search?q=' & $encodeUrlComponent(input.query) %}" }
//! ```

use crate::rule::Rule;

pub(crate) static RULE: Rule = Rule::error("E001", include_str!("e001_partial_slot.rs"));
