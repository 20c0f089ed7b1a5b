//! A projection declares the shape of its state.
//!
//! With an `output_schema`, a page that has changed is noticed as `state_schema_validation_failed` at the first read.
//! Without it, the state just becomes emptier.
//!
//! Could be better: a `snapshot` without `output_schema`.
//!
//! Instead:
//! ```json
//! { "output_schema": { "type": "object", "required": ["board"], "properties": { "board": { "type": "object" } } } }
//! ```

use crate::document::{Kind, Spot};
use crate::finding::Report;
use crate::lower::subject as named;
use crate::rule::Rule;
use crate::view::Subject;

pub(super) static RULE: Rule = Rule::advice("P010", include_str!("p010_state_without_schema.rs"));

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    for projection in &subject.view.projections {
        let snapshot = projection.snapshot.filter(|snapshot| snapshot.kind() == Kind::Object);
        let Some(snapshot) = snapshot.filter(|snapshot| snapshot.get("output_schema").is_none()) else {
            continue;
        };
        report
            .find(
                &RULE,
                Spot::Key(snapshot),
                format!("the state of {} has no schema", named(projection.node)),
            )
            .help("add `\"output_schema\"` to the snapshot: a page that changed is then noticed");
    }
}
