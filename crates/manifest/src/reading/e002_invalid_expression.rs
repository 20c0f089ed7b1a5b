//! A slot holds valid JSONata.
//!
//! Every expression of a map is compiled when the map is read, so that none fails halfway through a workflow, after
//! something has already been changed.
//!
//! Breaks the rule:
//! ```json
//! { "when": "{% $exists(steps.find.output %}" }
//! ```
//!
//! Instead:
//! ```json
//! { "when": "{% $exists(steps.find.output) %}" }
//! ```

use crate::rule::Rule;

pub(crate) static RULE: Rule = Rule::error("E002", include_str!("e002_invalid_expression.rs"));
