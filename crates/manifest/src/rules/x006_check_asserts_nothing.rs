//! A check asserts something.
//!
//! A check without assertions, or an assertion that only names a target, passes whatever the site does. Say what must
//! be true: `visible`, `exists`, `enabled`, `count`, `min_count`, `max_count`, a text, an address, a `state` or a
//! `projection`.
//!
//! Breaks the rule:
//! ```json
//! { "assertions": [{ "target": { "selector": "form[role='search']" } }] }
//! ```
//!
//! Instead:
//! ```json
//! { "assertions": [{ "target": { "selector": "form[role='search']" }, "visible": true }] }
//! ```

use crate::document::Spot;
use crate::finding::Report;
use crate::rule::Rule;
use crate::view::Subject;

pub(super) static RULE: Rule = Rule::warning("X006", include_str!("x006_check_asserts_nothing.rs"));

const ASSERTING: &[&str] = &[
    "visible",
    "exists",
    "enabled",
    "count",
    "min_count",
    "max_count",
    "text_equals",
    "text_contains",
    "url_contains",
    "url_matches",
    "state",
    "projection",
];

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    for check in &subject.manifest.checks {
        let node = subject.document.node(check.at);
        let Some(assertions) = node.get("assertions") else { continue };
        if assertions.elements().len() == 0 {
            report.find(&RULE, Spot::Key(assertions), format!("the check `{}` asserts nothing", *check.id));
        }
        for assertion in assertions.elements() {
            if !ASSERTING.iter().any(|key| assertion.get(key).is_some()) {
                report
                    .find(&RULE, assertion, "this assertion says nothing that could fail")
                    .help("add `\"visible\": true`, or another thing that must hold");
            }
        }
    }
}
