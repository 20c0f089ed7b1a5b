//! A summary's name is its own within its projection.
//!
//! Summaries are asked for by name. Of two with one name only one could be read.
//!
//! Breaks the rule:
//! ```json
//! { "summaries": [{ "name": "agent_context", "…": "…" }, { "name": "agent_context", "…": "…" }] }
//! ```
//!
//! Instead: give each its own name.

use crate::finding::Report;
use crate::rule::Rule;
use crate::view::Subject;
use crate::view::repeated;

pub(super) static RULE: Rule = Rule::error("P005", include_str!("p005_duplicate_summary.rs"));

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    for projection in &subject.view.projections {
        for (name, second, first) in
            repeated(projection.summaries.iter().filter_map(|summary| summary.get("name")))
        {
            report
                .find(&RULE, second, format!("a second summary is called `{name}`"))
                .help("give each its own name")
                .related(first, "the first one");
        }
    }
}
