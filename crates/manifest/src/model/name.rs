//! Names and ids in a map.

use actions_protocol::{SafeName, StepId};
use serde_json::{Value, json};

use crate::document::{Node, Spot};
use crate::finding::Report;
use crate::lower::{Definitions, Lower, wrong_type};
use crate::reading::n001_unsafe_identifier;

/// Reads an identifier with its own parser and reports the character that is wrong.
fn identifier<T>(
    node: Node<'_>,
    parse: impl Fn(&str) -> Result<T, actions_protocol::NameError>,
    report: &mut Report,
) -> Option<T> {
    let Some(text) = node.as_str() else {
        wrong_type(node, "a string", report);
        return None;
    };
    let parsed = parse(text);
    if let Err(error) = &parsed {
        let len = text.get(error.offset()..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
        let key = node.key().map_or_else(|| "an identifier".to_owned(), |key| format!("`{key}`"));
        report
            .find(
                &n001_unsafe_identifier::RULE,
                Spot::Within { node, offset: error.offset(), len },
                format!("{key} is not a safe identifier: {error}"),
            )
            .help("letters, digits, `_` and `-`, in parts joined by dots, each part beginning with a letter");
    }
    parsed.ok()
}

impl Lower for SafeName {
    fn lower(node: Node<'_>, report: &mut Report) -> Option<Self> {
        identifier(node, SafeName::parse, report)
    }

    fn schema(definitions: &mut Definitions) -> Value {
        definitions.named("safe_name", |_| {
            json!({
                "type": "string",
                "description": "A safe identifier: parts of letters, digits, `_` and `-`, joined by dots.",
                "pattern": "^[a-zA-Z][a-zA-Z0-9_-]*(\\.[a-zA-Z][a-zA-Z0-9_-]*)*$",
            })
        })
    }
}

impl Lower for StepId {
    fn lower(node: Node<'_>, report: &mut Report) -> Option<Self> {
        identifier(node, StepId::parse, report)
    }

    fn schema(definitions: &mut Definitions) -> Value {
        definitions.named("step_id", |_| {
            json!({
                "type": "string",
                "description": "The id of a step: a letter, then letters, digits, `_` and `-`.",
                "pattern": "^[A-Za-z][A-Za-z0-9_-]*$",
            })
        })
    }
}
