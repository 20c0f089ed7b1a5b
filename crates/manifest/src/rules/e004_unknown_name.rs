//! An expression reads only the names its place offers.
//!
//! A workflow offers `input`, `steps`, `item` and `index`; the expression of a projection `records`, `url`, `title` and
//! `projection`; markers `state`, `records`, `url` and `projection`; a summary the same, and `input` when it declares an
//! `input_schema`; a postcondition `state` and `input`; a precondition of a transition `input`, `states` and `url`;
//! `complete_when` the same, and `attempt`, `values` and `value`. Any other name is nothing, and nothing goes unnoticed.
//!
//! Breaks the rule:
//! ```json
//! { "when": "{% step.find.ok %}" }
//! ```
//!
//! Instead:
//! ```json
//! { "when": "{% steps.find.ok %}" }
//! ```

use crate::finding::Report;
use crate::lower::{closest, listed};
use crate::rule::Rule;
use crate::view::Scope;
use crate::view::Subject;

pub(super) static RULE: Rule = Rule::error("E004", include_str!("e004_unknown_name.rs"));

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    for placed in &subject.view.slots {
        let names = placed.scope.names();
        for root in placed.slot.expression.unknown_roots(names) {
            let spot = placed.slot.spot(subject.document, root.offset, root.len);
            let message = format!("{} does not know the name `{}`", placed.scope.noun(), root.name);
            report.find(&RULE, spot, message).help(help(&root.name, placed.scope));
        }
    }
}

/// Names that other places of a map offer; they are never meant as text.
const ELSEWHERE: &[&str] =
    &["input", "steps", "item", "index", "records", "state", "states", "url", "title", "projection"];

fn help(name: &str, scope: Scope) -> String {
    let names = scope.names();
    match (name, scope) {
        ("input", Scope::Summary { .. }) => {
            "a summary sees `input` when it declares an `input_schema`".to_owned()
        }
        _ => match closest(name, names) {
            Some(near) => format!("did you mean `{near}`?"),
            None if ELSEWHERE.contains(&name) => format!("known are {}", listed(names)),
            None => format!("known are {}; text stands in quotes: `'{name}'`", listed(names)),
        },
    }
}
