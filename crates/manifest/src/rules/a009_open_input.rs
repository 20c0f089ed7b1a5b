//! An input schema is closed.
//!
//! Without `"additionalProperties": false` a misspelt argument is accepted and has no effect, and the caller sees a
//! success.
//!
//! Could be better:
//! ```json
//! { "type": "object", "properties": { "query": { "type": "string" } } }
//! ```
//!
//! Instead:
//! ```json
//! { "type": "object", "properties": { "query": { "type": "string" } }, "additionalProperties": false }
//! ```

use crate::document::Spot;
use crate::finding::Report;
use crate::rule::Rule;
use crate::view::Subject;

pub(super) static RULE: Rule = Rule::advice("A009", include_str!("a009_open_input.rs"));

const CLOSING: &[&str] = &[
    "additionalProperties",
    "unevaluatedProperties",
    "$ref",
    "allOf",
    "anyOf",
    "oneOf",
    "patternProperties",
];

pub(super) fn validate(subject: &Subject<'_>, report: &mut Report) {
    for tool in &subject.manifest.tools {
        if !CLOSING.iter().any(|key| tool.input_schema.schema.contains_key(*key)) {
            let at = Spot::Key(subject.document.node(tool.input_schema.at));
            report
                .find(&RULE, at, format!("`{}` accepts arguments it does not know", *tool.name))
                .help("add `\"additionalProperties\": false`");
        }
    }
}
