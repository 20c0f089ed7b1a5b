//! An expression reads steps that exist.
//!
//! A path that leads nowhere is not an error in JSONata, it is simply nothing: a misspelt step would silently skip
//! conditions and leave arguments out.
//!
//! Breaks the rule:
//! ```json
//! { "steps": [
//!   { "id": "find", "primitive": "locator.element_info", "args": { "locator": { "selector": "#buy" } } },
//!   { "id": "click", "primitive": "pointer.click", "args": { "x": "{% steps.fnd.output.clickable_center.x %}" } }
//! ] }
//! ```
//!
//! Instead: use the id as the step has it, `steps.find`.

use crate::finding::Report;
use crate::lower::{closest, listed, subject as named};
use crate::rule::Rule;
use crate::view::Subject;
use crate::view::{Scope, Step};

pub(super) static RULE: Rule = Rule::error("W012", include_str!("w012_unknown_step.rs"));

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    for placed in &subject.view.slots {
        let Scope::Workflow { workflow, .. } = placed.scope else { continue };
        let workflow = &subject.view.workflows[workflow];
        for reference in placed.slot.expression.step_references() {
            if workflow.position(&reference.id).is_some() {
                continue;
            }
            let known: Vec<_> = workflow.steps.iter().filter_map(Step::name).collect();
            let help = match closest(&reference.id, &known) {
                Some(near) => format!("did you mean `{near}`?"),
                None if known.is_empty() => "the workflow has no steps".to_owned(),
                None => format!("its steps are {}", listed(&known)),
            };
            let spot = placed.slot.spot(subject.document, reference.offset, reference.len);
            let message = format!("{} has no step `{}`", named(workflow.tool), reference.id);
            report.find(&RULE, spot, message).help(help);
        }
    }
}
