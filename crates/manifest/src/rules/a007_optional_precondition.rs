//! A step that others depend on stops the workflow when it fails.
//!
//! `"on_error": "continue"` is for steps that no other step needs. When a later step uses the output of one that failed, it fails
//! for a reason that hides the real one. A step with `retry_until` is exempt: when its attempts are used up the
//! workflow ends whatever `on_error` says.
//!
//! Could be better:
//! ```json
//! [
//!   { "id": "find", "primitive": "locator.element_info", "args": { "…": "…" }, "on_error": "continue" },
//!   { "id": "click", "primitive": "pointer.click", "args": { "x": "{% steps.find.output.clickable_center.x %}", "…": "…" } }
//! ]
//! ```
//!
//! Instead: leave out `on_error`, or guard the later step with `when`.

use crate::finding::Report;
use crate::model::{OnError, Step};
use crate::rule::Rule;
use crate::view::Subject;

pub(super) static RULE: Rule = Rule::advice("A007", include_str!("a007_optional_precondition.rs"));

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    for workflow in subject.manifest.tools.iter().filter_map(|tool| tool.workflow.as_ref()) {
        for (number, step) in workflow.steps.iter().enumerate() {
            let Some(on_error) =
                // A step that is retried ends the workflow when its attempts are used up, whatever `on_error` says.
                step.on_error.as_ref().filter(|on_error| {
                    on_error.value == OnError::Continue && step.retry_until.is_none()
                })
            else {
                continue;
            };
            if let Some(user) =
                workflow.steps[number + 1..].iter().find(|later| depends(later, step.id.as_str()))
            {
                report
                    .find(
                        &RULE,
                        subject.document.node(on_error.at),
                        format!("`{}` cannot do without `{}`", *user.id, *step.id),
                    )
                    .help("leave out `on_error`, or guard the later step with `when`")
                    .related(subject.document.node(user.id.at), "uses its output");
            }
        }
    }
}

/// Whether the arguments of a step read the output of another one without a condition of any kind.
fn depends(step: &Step, id: &str) -> bool {
    let args = step.args.iter().flat_map(|args| &args.0.slots);
    step.when.is_none()
        && args
            .filter(|slot| {
                !slot.expression.source().contains("$exists") && !slot.expression.source().contains('?')
            })
            .any(|slot| {
                let mut references = slot.expression.step_references().iter();
                references.any(|reference| {
                    reference.id == id && reference.path.first().is_some_and(|field| field == "output")
                })
            })
}
