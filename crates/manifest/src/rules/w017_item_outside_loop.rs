//! `item` and `index` are used where there is a loop.
//!
//! `item` is the current element of a `for_each`, so it is there in the `args` and the `settle_after` of a step with
//! `for_each`. `index` is its number there, counted from 0; in the `args` and the `retry_until` of a retried step it
//! is the number of the attempt. The condition `when` and the collection itself are looked at once, before the loop,
//! and `after_each` runs between attempts: neither has an item or a number. Elsewhere both are simply nothing, and a
//! path that leads nowhere goes unnoticed.
//!
//! Breaks the rule:
//! ```json
//! { "id": "read", "primitive": "locator.text_content", "args": { "locator": { "selector": "li", "nth": "{% index %}" } } }
//! ```
//!
//! Instead:
//! ```json
//! { "id": "read", "primitive": "locator.text_content", "for_each": "{% [1..3] %}", "max_items": 3,
//!   "args": { "locator": { "selector": "li", "nth": "{% index %}" } } }
//! ```

use crate::finding::Report;
use crate::rule::Rule;
use crate::view::Subject;
use crate::view::{Role, Scope, Step};

pub(super) static RULE: Rule = Rule::error("W017", include_str!("w017_item_outside_loop.rs"));

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    for placed in &subject.view.slots {
        let Scope::Workflow { workflow, step, role } = placed.scope else { continue };
        let step = step.map(|step| &subject.view.workflows[workflow].steps[step]);
        for root in placed.slot.expression.root_references() {
            let known = match root.name.as_str() {
                "item" => has_item(step, role),
                "index" => has_item(step, role) || has_attempt(step, role),
                _ => continue,
            };
            if known {
                continue;
            }
            let spot = placed.slot.spot(subject.document, root.offset, root.len);
            let message = format!("there is no `{}` in {}", root.name, place(step, role));
            report.find(&RULE, spot, message).maybe_help(help(step, role));
        }
    }
}

fn has_item(step: Option<&Step<'_>>, role: Role) -> bool {
    step.is_some_and(|step| step.for_each.is_some()) && matches!(role, Role::Args | Role::SettleAfter)
}

fn has_attempt(step: Option<&Step<'_>>, role: Role) -> bool {
    step.is_some_and(|step| step.retry_until.is_some()) && matches!(role, Role::Args | Role::RetryUntil)
}

fn place(step: Option<&Step<'_>>, role: Role) -> String {
    match step {
        Some(step) => format!("`{}` of the step {}", role.key(), step.subject()),
        None => "the output of a workflow".to_owned(),
    }
}

fn help(step: Option<&Step<'_>>, role: Role) -> Option<String> {
    let step = step?;
    match (step.for_each, role) {
        (None, Role::Args | Role::SettleAfter) => Some("add `\"for_each\"` and `\"max_items\"`".to_owned()),
        (Some(_), Role::When) => {
            Some("`when` is looked at once, before the loop; filter the collection instead".to_owned())
        }
        _ => None,
    }
}
