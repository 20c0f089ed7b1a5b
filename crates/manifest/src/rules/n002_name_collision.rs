//! A name is exposed once.
//!
//! Two tools, states, signals, projections, attachments, checks, context blocks or transitions of one name could not
//! be distinguished by a caller. Imported names count with their namespace. A map may settle conflicts with its imports
//! by `composition.default_conflict_policy`; conflicts within one map are always an error.
//!
//! Breaks the rule:
//! ```json
//! { "tools": [{ "name": "search.submit", "…": "…" }, { "name": "search.submit", "…": "…" }] }
//! ```
//!
//! Instead: give each its own name.

use crate::finding::Report;
use crate::model::ConflictPolicy;
use crate::rule::Rule;
use crate::view::Subject;

pub(super) static RULE: Rule = Rule::error("N002", include_str!("n002_name_collision.rs"));

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    // The whole composition is looked at once, when the map itself is the subject.
    if subject.part.is_imported() {
        return;
    }
    let parts = subject.composition.parts();
    let settled = subject.composition.conflict_policy() != ConflictPolicy::Error;
    for (loser, winner) in subject.composition.settle().1 {
        if settled && loser.part != winner.part {
            continue;
        }
        let message = format!("a second {} is called `{}`", loser.kind.noun(), loser.name);
        report
            .find(&RULE, parts[loser.part].document().node(loser.at), message)
            .help("give each its own name")
            .related(parts[winner.part].document().node(winner.at), "the first one");
    }
}
