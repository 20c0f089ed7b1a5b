//! An imported name that is left out because of another one is reported.
//!
//! Nothing merges silently: when `composition.default_conflict_policy` settles a conflict, the name that is left out
//! is reported, so that a reviewer sees which of the two runs.
//!
//! Breaks the rule: a map with `"default_conflict_policy": "prefer_local"` and a tool of its own whose name an import
//! without a namespace brings as well.
//!
//! Instead: give the import a namespace, and both stay.

use crate::finding::Report;
use crate::model::ConflictPolicy;
use crate::rule::Rule;
use crate::view::Subject;

pub(super) static RULE: Rule = Rule::warning("C006", include_str!("c006_import_gave_way.rs"));

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    if subject.part.is_imported() || subject.composition.conflict_policy() == ConflictPolicy::Error {
        return;
    }
    let parts = subject.composition.parts();
    for (loser, winner) in
        subject.composition.settle().1.into_iter().filter(|(loser, winner)| loser.part != winner.part)
    {
        let message =
            format!("the {} `{}` is left out in favour of another one", loser.kind.noun(), loser.name);
        report
            .find(&RULE, parts[loser.part].document().node(loser.at), message)
            .help("give the import a namespace, and both stay")
            .related(parts[winner.part].document().node(winner.at), "the one that stays");
    }
}
