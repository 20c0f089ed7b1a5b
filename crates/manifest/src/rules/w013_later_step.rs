//! An expression reads only steps that ran before it.
//!
//! Steps run in the order of the list. What a later step will give is not there yet.
//!
//! Breaks the rule:
//! ```json
//! { "steps": [
//!   { "id": "click", "primitive": "pointer.click", "args": { "x": "{% steps.find.output.clickable_center.x %}" } },
//!   { "id": "find", "primitive": "locator.element_info", "args": { "locator": { "selector": "#buy" } } }
//! ] }
//! ```
//!
//! Instead: put the step that gives the value first.

use crate::finding::Report;
use crate::rule::Rule;
use crate::view::Scope;
use crate::view::Subject;

pub(super) static RULE: Rule = Rule::error("W013", include_str!("w013_later_step.rs"));

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    for placed in &subject.view.slots {
        let Scope::Workflow { workflow, step: Some(here), .. } = placed.scope else { continue };
        let workflow = &subject.view.workflows[workflow];
        for reference in placed.slot.expression.step_references() {
            let Some(there) = workflow.position(&reference.id).filter(|there| *there > here) else {
                continue;
            };
            let (reader, later) = (&workflow.steps[here], &workflow.steps[there]);
            let spot = placed.slot.spot(subject.document, reference.offset, reference.len);
            let message = format!("the step {} reads `{}`, which runs later", reader.subject(), reference.id);
            report
                .find(&RULE, spot, message)
                .help(format!("move `{}` before {}", reference.id, reader.subject()))
                .related(later.id.unwrap_or(later.node), "the later step");
        }
    }
}
