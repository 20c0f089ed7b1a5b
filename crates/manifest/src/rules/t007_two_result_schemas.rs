//! A tool has one result schema.
//!
//! `result_schema` may stand in the tool or in its `x_actions`; they mean the same. With both, only one could hold.
//!
//! Breaks the rule:
//! ```json
//! { "result_schema": { "type": "object" }, "x_actions": { "result_schema": { "type": "array" } } }
//! ```
//!
//! Instead: keep the one in `x_actions`.

use crate::document::Spot;
use crate::finding::Report;
use crate::rule::Rule;
use crate::view::Subject;

pub(super) static RULE: Rule = Rule::error("T007", include_str!("t007_two_result_schemas.rs"));

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    for tool in &subject.manifest.tools {
        let inner = tool.x_actions.as_ref().and_then(|x| x.result_schema.as_ref());
        let (Some(outer), Some(inner)) = (&tool.result_schema, inner) else { continue };
        report
            .find(
                &RULE,
                Spot::Key(subject.document.node(outer.at)),
                format!("`{}` has two result schemas", *tool.name),
            )
            .help("keep one of the two")
            .related(Spot::Key(subject.document.node(inner.at)), "the other one");
    }
}
