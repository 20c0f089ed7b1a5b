//! `for_each` and `max_items` stand together.
//!
//! A loop over data of the page or the caller has no bound of its own, so the map gives it one. A bound without a loop
//! does nothing, and most likely the loop was meant.
//!
//! Breaks the rule:
//! ```json
//! { "id": "read", "primitive": "page.info", "for_each": "{% input.ids %}" }
//! ```
//!
//! Instead:
//! ```json
//! { "id": "read", "primitive": "page.info", "for_each": "{% input.ids %}", "max_items": 20 }
//! ```

use actions_protocol::limits;

use crate::document::Spot;
use crate::finding::Report;
use crate::rule::Rule;
use crate::view::Subject;

pub(super) static RULE: Rule = Rule::error("W005", include_str!("w005_bounded_loop.rs")).shape();

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    for step in subject.view.steps() {
        match (step.for_each, step.max_items) {
            (Some(for_each), None) => {
                let message = format!("the step {} has `for_each` without `max_items`", step.subject());
                report
                    .find(&RULE, Spot::Key(for_each), message)
                    .help(format!("add `\"max_items\"` with a number from 1 to {}", limits::ITEMS));
            }
            (None, Some(max_items)) => {
                let message = format!("the step {} has `max_items` without `for_each`", step.subject());
                report
                    .find(&RULE, Spot::Key(max_items), message)
                    .help("add `\"for_each\"`, or remove `max_items`");
            }
            (Some(_), Some(_)) | (None, None) => {}
        }
    }
}
