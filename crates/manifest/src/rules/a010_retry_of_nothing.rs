//! The condition of a retry reads the result of the attempt.
//!
//! A `retry_until` that reads neither its own step nor anything the step can change asks the same question every time.
//! It holds at once or never.
//!
//! Could be better:
//! ```json
//! { "id": "look", "primitive": "dom.observe.visible", "retry_until": "{% steps.before.output.match_count > 0 %}", "max_attempts": 5 }
//! ```
//!
//! Instead:
//! ```json
//! { "id": "look", "primitive": "dom.observe.visible", "retry_until": "{% steps.look.output.match_count > 0 %}", "max_attempts": 5 }
//! ```

use crate::finding::Report;
use crate::rule::Rule;
use crate::view::Subject;

pub(super) static RULE: Rule = Rule::warning("A010", include_str!("a010_retry_of_nothing.rs"));

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    let steps =
        subject.manifest.tools.iter().filter_map(|tool| tool.workflow.as_ref()).flat_map(|flow| &flow.steps);
    for step in steps {
        let Some(condition) = &step.retry_until else { continue };
        let expression = &condition.expression;
        let own = expression.step_references().iter().any(|reference| reference.id == step.id.as_str());
        // A read of all steps, or through a variable, cannot be distinguished from a read of this one.
        let undecided = expression.source().contains("$$")
            || expression.source().contains("steps[")
            || expression.source().contains("$lookup");
        if !own && !undecided && !expression.reads_index() {
            report
                .find(
                    &RULE,
                    subject.document.node(condition.at),
                    format!("the condition does not look at `{}`", *step.id),
                )
                .help(format!("read `steps.{}.output`", *step.id));
        }
    }
}
