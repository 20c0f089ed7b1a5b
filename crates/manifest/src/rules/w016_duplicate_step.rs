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

use crate::finding::Report;
use crate::rule::Rule;
use crate::view::Subject;
use crate::view::repeated;

pub(super) static RULE: Rule = Rule::error("W016", include_str!("w016_duplicate_step.rs"));

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    for workflow in &subject.view.workflows {
        for (name, second, first) in repeated(workflow.steps.iter().filter_map(|step| step.id)) {
            report
                .find(&RULE, second, format!("a second step has the id `{name}`"))
                .help("give each its own id")
                .related(first, "the first one");
        }
    }
}
