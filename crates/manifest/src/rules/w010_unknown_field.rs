//! Workflows and their steps have no keys but their own.
//!
//! The set is closed under every profile, `x_` keys included (a workflow may carry `x_state_machine`): a misspelt key
//! in a step would silently change what runs.
//!
//! Breaks the rule:
//! ```json
//! { "id": "open", "primitive": "pointer.click", "retry_untill": "{% steps.open.ok %}" }
//! ```
//!
//! Instead: correct the key. A postcondition belongs beside the workflow, in the tool: `"postcondition": {…}`.

use super::Rule;

pub(crate) static RULE: Rule = Rule::error("W010", include_str!("w010_unknown_field.rs")).shape();
