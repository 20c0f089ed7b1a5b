//! Parameters of actions: their schema, and the control of the page that takes them.

use actions_manifest::Report;
use actions_manifest::css::SelectorList;
use actions_manifest::document::{Kind, Node};
use serde_json::{Map, Value, json};

use super::dialect::Dialect;
use super::read::{missing, wrong};
use super::rules::{
    awas004_invalid_selector, awas007_empty_enum, awas008_unknown_word, awas012_no_description,
    awas016_null_default,
};
use crate::record::plain;

/// A parameter of an action.
#[derive(Clone, Debug)]
pub(super) struct Parameter {
    pub(super) name: String,
    /// The type, as a word of JSON Schema.
    pub(super) kind: String,
    pub(super) required: bool,
    pub(super) schema: Value,
    /// The control of the page that takes it.
    pub(super) selector: Option<String>,
    /// Where a request carries it, if the document says so.
    pub(super) place: Option<Place>,
    /// The values that are allowed.
    pub(super) options: Vec<Value>,
}

/// Where a request carries a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Path,
    Query,
    Body,
    Header,
}

/// The types of both dialects.
const TYPES: &[&str] = &["string", "number", "integer", "boolean", "object", "array", "null"];
/// The formats, and what JSON Schema calls them. A format without a name there says nothing to a validator.
const FORMATS: &[(&str, Option<&str>)] = &[
    ("email", Some("email")),
    ("uri", Some("uri")),
    ("url", Some("uri")),
    ("date", Some("date")),
    ("datetime", Some("date-time")),
    ("date-time", Some("date-time")),
    ("time", Some("time")),
    ("uuid", Some("uuid")),
    ("phone", None),
    ("password", Some("password")),
];
/// Rules of `validation`, and the keywords of JSON Schema.
const VALIDATION: &[(&str, &str)] = &[
    ("pattern", "pattern"),
    ("minLength", "minLength"),
    ("maxLength", "maxLength"),
    ("min", "minimum"),
    ("max", "maximum"),
    ("minimum", "minimum"),
    ("maximum", "maximum"),
    ("minItems", "minItems"),
    ("maxItems", "maxItems"),
];

/// Reads a parameter, and reports what is wrong with it.
pub(super) fn read(node: Node<'_>, dialect: Dialect, report: &mut Report) -> Option<Parameter> {
    if node.kind() != Kind::Object {
        wrong(node, "an object", report);
        return None;
    }
    let text = |key: &str| node.get(key).and_then(Node::as_str);
    let Some(name) = text("name") else {
        missing(node, "name", report).tolerated();
        return None;
    };
    if node.get("required").is_none() && dialect == Dialect::One {
        missing(node, "required", report).tolerated();
    }
    if text("description").is_none() {
        report
            .find(&awas012_no_description::RULE, node, format!("the parameter `{name}` is not described"))
            .help("add `description`");
    }
    let kind = kind(node, report);
    let required = node.get("required").and_then(Node::as_bool).unwrap_or(false);
    let mut schema = Map::new();
    schema.insert("type".to_owned(), json!(kind));
    if let Some(format) = text("format") {
        match FORMATS.iter().find(|(known, _)| *known == format) {
            Some((_, Some(format))) => drop(schema.insert("format".to_owned(), json!(format))),
            Some((_, None)) => {}
            None => unknown(node.get("format").unwrap_or(node), format, "a format", report),
        }
    }
    for (rule, keyword) in VALIDATION {
        let found =
            node.get("validation").and_then(|validation| validation.get(rule)).or_else(|| node.get(rule));
        if let Some(value) = found {
            schema.insert((*keyword).to_owned(), value.to_value());
        }
    }
    let options = options(node, report);
    if !options.is_empty() {
        schema.insert("enum".to_owned(), json!(options));
    }
    match node.get("default") {
        Some(default) if default.kind() == Kind::Null && kind != "null" => {
            report
                .find(&awas016_null_default::RULE, default, "`null` is no default that a call can use")
                .help("remove `default`");
        }
        Some(default) => drop(schema.insert("default".to_owned(), default.to_value())),
        None => {}
    }
    if let Some(example) = node.get("example") {
        schema.insert("examples".to_owned(), json!([example.to_value()]));
    }
    if let Some(description) = text("description").map(plain).filter(|text| !text.is_empty()) {
        schema.insert("description".to_owned(), json!(description));
    }
    let place = text("location").or_else(|| text("in")).and_then(|place| match place {
        "path" => Some(Place::Path),
        "query" => Some(Place::Query),
        "body" => Some(Place::Body),
        "header" => Some(Place::Header),
        _ => None,
    });
    Some(Parameter {
        name: name.to_owned(),
        kind,
        required,
        schema: Value::Object(schema),
        selector: selector(node, "selector", report).map(str::to_owned),
        place,
        options,
    })
}

fn kind(node: Node<'_>, report: &mut Report) -> String {
    let Some(found) = node.get("type") else {
        missing(node, "type", report).tolerated();
        return "string".to_owned();
    };
    match found.as_str() {
        Some(kind) if TYPES.contains(&kind) => kind.to_owned(),
        Some(kind) => {
            unknown(found, kind, "a type", report);
            "string".to_owned()
        }
        None => {
            wrong(found, "a string", report);
            "string".to_owned()
        }
    }
}

fn options(node: Node<'_>, report: &mut Report) -> Vec<Value> {
    let within = node.get("validation").and_then(|validation| validation.get("enum"));
    let Some(listed) = node.get("enum").or(within) else { return Vec::new() };
    if listed.elements().len() == 0 {
        report
            .find(&awas007_empty_enum::RULE, listed, "`enum` lists no value")
            .help("list the values")
            .tolerated();
    }
    listed.elements().map(Node::to_value).collect()
}

/// A selector of an object, if it parses. One that does not is reported.
pub(super) fn selector<'d>(owner: Node<'d>, key: &str, report: &mut Report) -> Option<&'d str> {
    let node = owner.get(key)?;
    let Some(text) = node.as_str() else {
        wrong(node, "a string", report);
        return None;
    };
    match SelectorList::parse(text) {
        Ok(_) => Some(text),
        Err(error) => {
            report
                .find(
                    &awas004_invalid_selector::RULE,
                    node,
                    format!("`{text}` is not a CSS selector: {error}"),
                )
                .help("write a CSS selector")
                .tolerated();
            None
        }
    }
}

pub(super) fn unknown(node: Node<'_>, word: &str, what: &str, report: &mut Report) {
    report
        .find(&awas008_unknown_word::RULE, node, format!("`{word}` is not {what} of the specification"))
        .help("it is passed over");
}
