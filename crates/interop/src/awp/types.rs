//! The types of the protocol as JSON Schema.

use std::cell::Cell;

use actions_manifest::Report;
use actions_manifest::document::Node;
use serde_json::{Map, Value, json};

use super::read::unknown_type;
use crate::record::plain;

/// How deep types are followed through entities that contain each other.
const DEEPEST: usize = 6;

/// A type as it is written.
#[derive(Debug, PartialEq, Eq)]
enum Written<'t> {
    Plain(&'t str),
    Enum(Vec<&'t str>),
    Array(&'t str),
    Object(&'t str),
}

fn parse(text: &str) -> Written<'_> {
    let text = text.trim();
    let inner = |name: &str| text.strip_prefix(name)?.strip_prefix('[')?.strip_suffix(']');
    if let Some(options) = inner("enum") {
        return Written::Enum(
            options.split(',').map(str::trim).filter(|option| !option.is_empty()).collect(),
        );
    }
    match (inner("array"), inner("object")) {
        (Some(of), _) => Written::Array(of),
        (_, Some(of)) => Written::Object(of),
        _ => Written::Plain(text),
    }
}

/// The types that need no declaration.
const KNOWN: &[&str] =
    &["string", "integer", "float", "number", "boolean", "ISO8601", "url", "object", "array", "enum"];

/// Reports a type that nobody declares.
pub(super) fn check(root: Node<'_>, node: Node<'_>, report: &mut Report) {
    let Some(text) = node.as_str() else { return };
    let mut word = text;
    for _ in 0..DEEPEST {
        match parse(word) {
            Written::Enum(_) => return,
            Written::Array(of) => word = of,
            Written::Plain(name) | Written::Object(name) => {
                let declared = root.get("entities").is_some_and(|entities| entities.get(name).is_some());
                if !declared && !KNOWN.contains(&name) {
                    unknown_type(node, word, report);
                }
                return;
            }
        }
    }
}

/// The most types that one schema is made of. Entities that contain each other could become many more.
const MOST_TYPES: usize = 300;

/// The schema of a type. Entities are written where they are used; one that contains itself ends in any value.
pub(super) fn schema(root: Node<'_>, text: &str) -> Value {
    of(root, text, 0, &Cell::new(MOST_TYPES))
}

fn of(root: Node<'_>, text: &str, depth: usize, left: &Cell<usize>) -> Value {
    if depth >= DEEPEST || left.get() == 0 {
        return json!({});
    }
    left.set(left.get() - 1);
    match parse(text) {
        Written::Enum(options) if options.is_empty() => json!({ "type": "string" }),
        Written::Enum(options) => json!({ "enum": options }),
        Written::Array(item) => json!({ "type": "array", "items": of(root, item, depth + 1, left) }),
        Written::Object(name) => {
            entity(root, name, depth, left).unwrap_or_else(|| json!({ "type": "object" }))
        }
        Written::Plain(name) => match name {
            "string" | "enum" => json!({ "type": "string" }),
            "integer" => json!({ "type": "integer" }),
            "float" | "number" => json!({ "type": "number" }),
            "boolean" => json!({ "type": "boolean" }),
            "url" => json!({ "type": "string", "format": "uri" }),
            // A date or a date with a time.
            "ISO8601" => {
                json!({ "type": "string", "anyOf": [{ "format": "date" }, { "format": "date-time" }] })
            }
            "object" => json!({ "type": "object" }),
            "array" => json!({ "type": "array" }),
            other => entity(root, other, depth, left)
                .unwrap_or_else(|| json!({ "type": "string", "x-awp-type": plain(other) })),
        },
    }
}

fn entity(root: Node<'_>, name: &str, depth: usize, left: &Cell<usize>) -> Option<Value> {
    let fields = root.get("entities")?.get(name)?.get("fields")?;
    let field = |(name, kind): (&str, Node<'_>)| {
        let written = kind.as_str().or_else(|| kind.get("type").and_then(Node::as_str)).unwrap_or("string");
        (name.to_owned(), of(root, written, depth + 1, left))
    };
    let properties: Map<String, Value> = fields.members().map(field).collect();
    Some(json!({ "type": "object", "properties": properties }))
}

/// The schema of an input, with its options, default and description.
pub(super) fn input(root: Node<'_>, input: Node<'_>) -> Value {
    let written = input.as_str().or_else(|| input.get("type").and_then(Node::as_str)).unwrap_or("string");
    let mut schema = schema(root, written);
    let options: Vec<Value> =
        input.get("options").into_iter().flat_map(Node::elements).map(Node::to_value).collect();
    if !options.is_empty() {
        schema = json!({ "enum": options });
    }
    if let Some(description) = input.get("description").and_then(Node::as_str) {
        schema["description"] = json!(plain(description));
    }
    if let Some(default) = input.get("default").filter(|default| !default.to_value().is_null()) {
        schema["default"] = default.to_value();
    }
    schema
}

#[cfg(test)]
mod tests {
    use actions_manifest::{Profile, read_document};

    use super::*;

    #[test]
    fn types_become_schemas() {
        let text =
            br#"{ "entities": { "leg": { "fields": { "from": "airport_code", "stops": "array[leg]" } } } }"#;
        let document = read_document("t", text, &mut Report::new(Profile::Strict)).unwrap();
        let of = |written: &str| schema(document.root(), written);
        assert_eq!(of("float"), json!({ "type": "number" }));
        assert_eq!(of("enum[a, b]"), json!({ "enum": ["a", "b"] }));
        assert_eq!(of("array[integer]"), json!({ "type": "array", "items": { "type": "integer" } }));
        assert_eq!(of("airport_code")["x-awp-type"], "airport_code");
        assert_eq!(of("array[leg]")["items"]["properties"]["from"]["type"], "string");
        assert_eq!(of("leg"), of("object[leg]"));
        assert!(of("leg").to_string().len() < 2_000, "an entity that contains itself ends");
    }
}
