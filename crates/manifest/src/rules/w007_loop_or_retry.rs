//! A step either goes through a collection or retries, not both.
//!
//! With both, `steps.<id>` would be a list of items and the last attempt at the same time, and a failing item could
//! mean either the next attempt or the next item.
//!
//! Breaks the rule:
//! ```json
//! { "for_each": "{% input.ids %}", "max_items": 5, "retry_until": "{% steps.read.ok %}", "max_attempts": 3 }
//! ```
//!
//! Instead: put the retried part into a tool of its own, and call that tool for each item through `actions.site`.

use crate::document::Spot;
use crate::finding::Report;
use crate::rule::Rule;
use crate::view::Subject;

pub(super) static RULE: Rule = Rule::error("W007", include_str!("w007_loop_or_retry.rs")).shape();

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    for step in subject.view.steps() {
        let (Some(for_each), Some(retry_until)) = (step.for_each, step.retry_until) else { continue };
        let message = format!("the step {} has both `for_each` and `retry_until`", step.subject());
        report
            .find(&RULE, Spot::Key(retry_until), message)
            .help("keep one; a tool of its own can hold the other")
            .related(Spot::Key(for_each), "the loop");
    }
}
