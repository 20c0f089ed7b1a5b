//! A step reads its own result only in `retry_until` and `after_each`.
//!
//! Those two are looked at after an attempt, when there is a result. Everywhere else in the step, its own result does
//! not exist yet, or, in `settle_after`, is not passed on yet.
//!
//! Breaks the rule:
//! ```json
//! { "id": "find", "primitive": "locator.element_info", "when": "{% steps.find.ok %}" }
//! ```
//!
//! Instead: read an earlier step, or retry until the result is right.
//! ```json
//! { "id": "find", "primitive": "locator.element_info", "retry_until": "{% steps.find.ok %}", "max_attempts": 5 }
//! ```

use crate::finding::Report;
use crate::rule::Rule;
use crate::view::Subject;
use crate::view::{Role, Scope};

pub(super) static RULE: Rule = Rule::error("W014", include_str!("w014_own_output.rs"));

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    for placed in &subject.view.slots {
        let Scope::Workflow { workflow, step: Some(here), role } = placed.scope else { continue };
        if matches!(role, Role::RetryUntil | Role::AfterEach) {
            continue;
        }
        let workflow = &subject.view.workflows[workflow];
        for reference in placed.slot.expression.step_references() {
            if workflow.position(&reference.id) != Some(here) {
                continue;
            }
            let spot = placed.slot.spot(subject.document, reference.offset, reference.len);
            let message = format!("`{}` reads the result of its own step `{}`", role.key(), reference.id);
            report
                .find(&RULE, spot, message)
                .help("a step's own result is there only in its `retry_until` and `after_each`");
        }
    }
}
