//! A change that is skipped is not a success.
//!
//! A step that finds an element with `"on_error": "continue"`, followed by a change that runs only `when` the element
//! was found, does nothing on the day the element is gone, and reports success. Let the finding step fail, or prove
//! the result with a postcondition.
//!
//! Could be better:
//! ```json
//! [
//!   { "id": "find", "primitive": "locator.element_info", "args": { "…": "…" }, "on_error": "continue" },
//!   { "id": "click", "primitive": "pointer.click", "args": { "…": "…" }, "when": "{% $exists(steps.find.output) %}" }
//! ]
//! ```
//!
//! Instead: leave out `on_error` and `when`.

use actions_dictionary::Dictionary;

use crate::document::Spot;
use crate::finding::Report;
use crate::model::{OnError, Step};
use crate::rule::Rule;
use crate::view::Subject;

pub(super) static RULE: Rule = Rule::advice("A004", include_str!("a004_self_skipping_mutation.rs"));

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    let dictionary = Dictionary::builtin();
    for tool in subject.manifest.tools.iter().filter(|tool| tool.postcondition.is_none()) {
        let Some(workflow) = &tool.workflow else { continue };
        let mutating =
            |step: &Step| dictionary.get(&step.primitive).is_some_and(|primitive| primitive.mutating);
        if workflow.steps.iter().filter(|step| mutating(step)).count() != 1 {
            continue;
        }
        for step in workflow.steps.iter().filter(|step| mutating(step)) {
            let Some(when) = &step.when else { continue };
            let optional = when.expression.step_references().iter().find_map(|reference| {
                workflow.steps.iter().find(|other| other.id.as_str() == reference.id && goes_on(other))
            });
            if let Some(optional) = optional {
                report
                    .find(
                        &RULE,
                        subject.document.node(when.at),
                        format!(
                            "`{}` is skipped, and the tool still succeeds, when `{}` fails",
                            *step.id, *optional.id
                        ),
                    )
                    .help("let the finding step fail, or add a `postcondition`")
                    .related(Spot::Value(subject.document.node(optional.id.at)), "goes on when it fails");
            }
        }
    }
}

fn goes_on(step: &Step) -> bool {
    step.on_error.as_ref().is_some_and(|on_error| on_error.value == OnError::Continue)
}
