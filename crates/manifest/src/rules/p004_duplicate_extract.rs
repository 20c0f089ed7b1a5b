//! An extractor's id is its own.
//!
//! Records are read by id, as `records.<id>`. Of two extractors with one id only one could be read.
//!
//! Breaks the rule:
//! ```json
//! { "extract": [{ "id": "cards", "selector": ".card" }, { "id": "cards", "selector": ".tile" }] }
//! ```
//!
//! Instead: give each its own id, or write both selectors into one: `".card, .tile"`.

use crate::finding::Report;
use crate::rule::Rule;
use crate::view::Subject;
use crate::view::repeated;

pub(super) static RULE: Rule = Rule::error("P004", include_str!("p004_duplicate_extract.rs"));

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    for projection in &subject.view.projections {
        for (name, second, first) in
            repeated(projection.extract.iter().filter_map(|extract| extract.get("id")))
        {
            report
                .find(&RULE, second, format!("a second extractor has the id `{name}`"))
                .help("give each its own id")
                .related(first, "the first one");
        }
    }
}
