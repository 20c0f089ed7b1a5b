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

use crate::rule::Rule;

pub(crate) static RULE: Rule = Rule::error("W010", include_str!("w010_unknown_field.rs")).shape();

/// Keys that belong elsewhere, and where.
const ELSEWHERE: &[(&str, &str)] = &[
    ("postcondition", "it stands beside the workflow, in the tool: `\"postcondition\": {…}`"),
    ("result_schema", "it stands beside the workflow, in the tool"),
    ("input_schema", "it stands beside the workflow, in the tool"),
    ("save_as", "the result of every step is there already, as `steps.<id>.output`"),
    ("timeout_ms", "a step has no time of its own; if its primitive takes one, it stands in `args`"),
    ("locator", "arguments stand in `args`: `\"args\": { \"locator\": {…} }`"),
    ("target", "arguments stand in `args`: `\"args\": { \"locator\": {…} }`"),
    ("type", "a step names its primitive: `\"primitive\": \"pointer.click\"`"),
    ("value_from", "values are bound by slots in `args`: `\"{% input.query %}\"`"),
    ("value", "values stand in `args`"),
];

/// What to do about a key that workflows and steps do not have, when it is known what was meant.
pub(crate) fn help(key: &str) -> Option<&'static str> {
    ELSEWHERE.iter().find(|(known, _)| *known == key).map(|(_, help)| *help)
}
