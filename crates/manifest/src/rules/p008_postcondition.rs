//! A postcondition says what must be true.
//!
//! The condition stands in `verify`, or in `expression` directly, not in both. It reads the `state` of the projection
//! after the tool ran, and the tool's `input`.
//!
//! Breaks the rule:
//! ```json
//! { "postcondition": { "projection": "site.board", "failure_message": "the card is not there" } }
//! ```
//!
//! Instead:
//! ```json
//! { "postcondition": {
//!   "projection": "site.board",
//!   "verify": { "language": "jsonata", "expression": "{% input.title in state.board.cards.title %}" },
//!   "failure_message": "the card is not there"
//! } }
//! ```

use crate::document::{Kind, Spot};
use crate::finding::Report;
use crate::rule::Rule;
use crate::view::PostconditionView;
use crate::view::Subject;

pub(super) static RULE: Rule = Rule::error("P008", include_str!("p008_postcondition.rs"));

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    for postcondition in PostconditionView::find(subject.document) {
        let node = postcondition.node;
        if node.kind() != Kind::Object {
            continue;
        }
        match (node.get("verify"), node.get("expression")) {
            (None, None) => drop(
                report
                    .find(&RULE, Spot::Key(node), "the postcondition has no condition")
                    .help("add `\"verify\": { \"language\": \"jsonata\", \"expression\": \"{% … %}\" }`"),
            ),
            (Some(verify), Some(expression)) => drop(
                report
                    .find(&RULE, Spot::Key(expression), "the postcondition has two conditions")
                    .help("keep `verify` or `expression`")
                    .related(Spot::Key(verify), "the other"),
            ),
            (Some(_), None) | (None, Some(_)) => {}
        }
    }
}
