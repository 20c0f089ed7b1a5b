//! A step's id is its own.
//!
//! Steps are read by id, as `steps.<id>`. Of two steps with one id only the later could be read.
//!
//! Breaks the rule:
//! ```json
//! { "steps": [{ "id": "open", "primitive": "page.info" }, { "id": "open", "primitive": "page.info" }] }
//! ```
//!
//! Instead: give each its own id.

use super::Rule;
use crate::check::Subject;
use crate::finding::Report;
use crate::view::repeated;

pub(crate) static RULE: Rule = Rule::error("W016", include_str!("w016_duplicate_step.rs")).checks(check);

fn check(subject: &Subject<'_>, report: &mut Report) {
    for workflow in &subject.view.workflows {
        for (name, second, first) in repeated(workflow.steps.iter().filter_map(|step| step.id)) {
            report
                .find(&RULE, second, format!("a second step has the id `{name}`"))
                .help("give each its own id")
                .related(first, "the first one");
        }
    }
}
