//! `retry_until` and `max_attempts` stand together, and `after_each` only beside them.
//!
//! A condition that never comes true would be tried for ever. `max_attempts` or `after_each` alone do nothing, and
//! most likely the condition was meant.
//!
//! Breaks the rule:
//! ```json
//! { "id": "find", "primitive": "locator.element_info", "retry_until": "{% steps.find.ok %}" }
//! ```
//!
//! Instead:
//! ```json
//! { "id": "find", "primitive": "locator.element_info", "retry_until": "{% steps.find.ok %}", "max_attempts": 5 }
//! ```

use actions_protocol::limits;

use crate::document::Spot;
use crate::finding::Report;
use crate::rule::Rule;
use crate::view::Subject;

pub(super) static RULE: Rule = Rule::error("W006", include_str!("w006_bounded_retry.rs")).shape();

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    for step in subject.view.steps() {
        if let Some(retry_until) = step.retry_until {
            if step.max_attempts.is_none() {
                let message = format!("the step {} has `retry_until` without `max_attempts`", step.subject());
                report
                    .find(&RULE, Spot::Key(retry_until), message)
                    .help(format!("add `\"max_attempts\"` with a number from 1 to {}", limits::ATTEMPTS));
            }
            continue;
        }
        for alone in [step.max_attempts, step.after_each].into_iter().flatten() {
            let key = alone.key().unwrap_or_default();
            let message = format!("the step {} has `{key}` without `retry_until`", step.subject());
            report
                .find(&RULE, Spot::Key(alone), message)
                .help(format!("add `\"retry_until\"`, or remove `{key}`"));
        }
    }
}
