//! Names and ids are safe identifiers.
//!
//! They stand in logs, protocol messages and file names. A name is one or more parts joined by dots; a part begins
//! with an ASCII letter and goes on with letters, digits, `_` and `-`. The id of a step is one such part.
//!
//! Breaks the rule:
//! ```json
//! { "name": "search submit" }
//! ```
//!
//! Instead:
//! ```json
//! { "name": "search.submit" }
//! ```

use crate::rule::Rule;

pub(crate) static RULE: Rule = Rule::error("N001", include_str!("n001_unsafe_identifier.rs")).shape();
