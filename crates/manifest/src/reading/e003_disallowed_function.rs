//! Expressions do not use functions that make a run unrepeatable.
//!
//! `$eval` would run text as code; `$random`, `$shuffle`, `$now` and `$millis` give another answer every time. They
//! are refused wherever they are referred to, called or not; inside a string literal they are just text.
//!
//! Breaks the rule:
//! ```json
//! { "text": "{% 'note ' & $now() %}" }
//! ```
//!
//! Instead: let the caller pass the time as an input.
//! ```json
//! { "text": "{% 'note ' & input.today %}" }
//! ```

use crate::rule::Rule;

pub(crate) static RULE: Rule = Rule::error("E003", include_str!("e003_disallowed_function.rs"));
