//! The arguments of a call are an object.
//!
//! An `input_schema` that admits no object refuses every call.
//!
//! Breaks the rule:
//! ```json
//! { "input_schema": { "type": "string" } }
//! ```
//!
//! Instead:
//! ```json
//! { "input_schema": { "type": "object", "properties": { "query": { "type": "string" } } } }
//! ```

use crate::document::Node;
use crate::finding::Report;
use crate::rule::Rule;
use crate::view::Subject;

pub(super) static RULE: Rule = Rule::error("T010", include_str!("t010_input_is_an_object.rs"));

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    for tool in &subject.manifest.tools {
        let Some(kind) = subject.document.node(tool.input_schema.at).get("type") else { continue };
        let object =
            kind.as_str() == Some("object") || kind.elements().any(|one| one.as_str() == Some("object"));
        let known = kind.as_str().is_some()
            || kind.elements().all(|one| one.as_str().is_some()) && kind.elements().len() > 0;
        if known && !object && types(kind).all(|name| KNOWN.contains(&name)) {
            report.find(&RULE, kind, "the arguments of a call are an object; this schema admits none");
        }
    }
}

const KNOWN: &[&str] = &["null", "boolean", "object", "array", "number", "string", "integer"];

fn types(kind: Node<'_>) -> impl Iterator<Item = &str> {
    kind.as_str().into_iter().chain(kind.elements().filter_map(Node::as_str))
}
