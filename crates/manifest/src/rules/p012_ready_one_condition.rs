//! The `ready` of a projection is one condition.
//!
//! It says when the page may be read, so that a placeholder is not read as content: a `locator` with a `state`, or an
//! `expression` over what was extracted, not both. An element is named as it is, because no slot is evaluated before the
//! page is read. The engine reads again until the condition holds or `timeout_ms` is over.
//!
//! Breaks the rule:
//! ```json
//! { "x_actions": { "ready": { "timeout_ms": 5000 } } }
//! ```
//!
//! Instead:
//! ```json
//! { "x_actions": { "ready": { "locator": { "selector": ".skeleton" }, "state": "detached", "timeout_ms": 5000 } } }
//! ```

use crate::document::{Kind, Node, Spot};
use crate::finding::Report;
use crate::rule::Rule;
use crate::view::{Subject, literal};

pub(super) static RULE: Rule = Rule::error("P012", include_str!("p012_ready_one_condition.rs"));

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    let ready = subject.view.projections.iter().filter_map(|projection| projection.ready);
    for ready in ready.filter(|ready| ready.kind() == Kind::Object) {
        match (ready.get("locator"), ready.get("expression")) {
            (None, None) => drop(
                report
                    .find(&RULE, Spot::Key(ready), "`ready` has neither `locator` nor `expression`")
                    .help("add `\"locator\": { \"selector\": \"…\" }` or `\"expression\": \"{% … %}\"`"),
            ),
            (Some(locator), Some(expression)) => drop(
                report
                    .find(&RULE, Spot::Key(expression), "`ready` has both `locator` and `expression`")
                    .help("keep one")
                    .related(Spot::Key(locator), "the other"),
            ),
            (Some(locator), None) => slots(locator, report),
            (None, Some(expression)) => {
                if let Some(state) = ready.get("state") {
                    report
                        .find(&RULE, Spot::Key(state), "`state` belongs to `locator`, not to `expression`")
                        .help("remove `state`")
                        .related(Spot::Key(expression), "the expression");
                }
            }
        }
    }
}

/// Reports every string of a locator that is a slot.
fn slots(locator: Node<'_>, report: &mut Report) {
    locator.walk(&mut |node| {
        if node.as_str().is_some() && literal(node).is_none() {
            report
                .find(&RULE, node, "no slot is evaluated before the page is read")
                .help("write the selector or text itself");
        }
    });
}
