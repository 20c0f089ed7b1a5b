//! Output schemas as clients see them.
//!
//! A tool has up to three kinds of structured content: its value, `{"error": …}`, and `{"resource": …}` for a value that is
//! too large for a result. Some clients hold all of them against the output schema, so it has to admit all of them.

use serde_json::{Map, Value, json};

/// The member of structured content that has an error.
pub(crate) const ERROR: &str = "error";
/// The member of structured content that has the address of a large result.
pub(crate) const RESOURCE: &str = "resource";
/// The member of structured content that has a value which is no object.
pub(crate) const RESULT: &str = "result";

/// Keywords that say what an object may be in ways that cannot be combined with other members.
const CLOSED: &[&str] =
    &["minProperties", "maxProperties", "propertyNames", "unevaluatedProperties", "const", "enum"];

/// Keywords that describe an object by other schemas.
const COMBINED: &[&str] =
    &["anyOf", "oneOf", "allOf", "not", "if", "then", "else", "dependentSchemas", "dependentRequired"];

/// Whether a value of a tool with this schema stands below `result`, because structured content is an object.
pub(crate) fn wraps(schema: &Map<String, Value>) -> bool {
    schema.get("type").and_then(Value::as_str) != Some("object")
}

/// The schema of the structured content of a tool whose value has this schema.
pub(crate) fn published(schema: &Map<String, Value>) -> Map<String, Value> {
    if contains_key(schema, "$ref") {
        return any();
    }
    let bare: Map<String, Value> =
        schema.iter().filter(|(key, _)| *key != "$schema" && *key != "$id").map(pair).collect();
    if wraps(schema) {
        return object(json!({ "type": "object", "properties": { RESULT: bare, ERROR: {}, RESOURCE: {} } }));
    }
    let own = bare.get("properties").and_then(Value::as_object);
    let takes = |name: &str| own.is_some_and(|own| own.contains_key(name));
    if CLOSED.iter().any(|keyword| bare.contains_key(*keyword)) || takes(ERROR) || takes(RESOURCE) {
        return any();
    }
    let alternatives = |own: Value| json!([own, { "required": [ERROR] }, { "required": [RESOURCE] }]);
    if COMBINED.iter().any(|keyword| bare.contains_key(*keyword)) {
        return object(json!({ "type": "object", "anyOf": alternatives(Value::Object(bare)) }));
    }
    let mut opened = bare;
    if opened.contains_key("additionalProperties") || opened.contains_key("patternProperties") {
        let properties = opened.entry("properties").or_insert_with(|| json!({}));
        properties[ERROR] = json!({});
        properties[RESOURCE] = json!({});
    }
    if let Some(required) = opened.shift_remove("required").filter(|required| *required != json!([])) {
        opened.insert("anyOf".to_owned(), alternatives(json!({ "required": required })));
    }
    opened
}

/// The same schema with no more than the types of its members, for a list that has to stay short.
pub(crate) fn shallow(published: &Map<String, Value>) -> Map<String, Value> {
    let Some(own) = published.get("properties").and_then(Value::as_object) else { return any() };
    let types = own.iter().filter(|(name, _)| *name != ERROR && *name != RESOURCE).map(|(name, schema)| {
        let kept = schema.get("type").map_or_else(|| json!({}), |kind| json!({ "type": kind }));
        (name.clone(), kept)
    });
    let types: Map<String, Value> = types.collect();
    object(json!({ "type": "object", "properties": types }))
}

/// The schema of any object.
pub(crate) fn any() -> Map<String, Value> {
    object(json!({ "type": "object" }))
}

/// An object of `json!`.
pub(crate) fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(members) => members,
        _ => Map::new(),
    }
}

fn pair((key, value): (&String, &Value)) -> (String, Value) {
    (key.clone(), value.clone())
}

fn contains_key(schema: &Map<String, Value>, wanted: &str) -> bool {
    schema.iter().any(|(key, value)| key == wanted || value_contains(value, wanted))
}

fn value_contains(value: &Value, wanted: &str) -> bool {
    match value {
        Value::Object(members) => contains_key(members, wanted),
        Value::Array(items) => items.iter().any(|item| value_contains(item, wanted)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each value fits its schema, and so do an error and a large result, in full and in short.
    #[test]
    fn a_published_schema_admits_the_value_an_error_and_a_large_result() {
        let closed = json!({ "type": "object", "required": ["a"], "properties": { "a": { "type": "integer" } },
            "additionalProperties": false });
        let table = [
            (closed.clone(), json!({ "a": 1 }), json!({ "b": 1 })),
            (json!({ "type": "object" }), json!({ "a": 1 }), Value::Null),
            (
                json!({ "type": "array", "items": { "type": "string" } }),
                json!({ "result": ["x"] }),
                json!({ "result": 1 }),
            ),
            (
                json!({ "type": "object", "oneOf": [{ "required": ["a"] }, { "required": ["b"] }] }),
                json!({ "b": 1 }),
                json!({ "c": 1 }),
            ),
            (json!({ "type": "object", "maxProperties": 1 }), json!({ "a": 1 }), Value::Null),
            (
                json!({ "type": "object", "required": ["error"], "properties": { "error": { "type": "string" } } }),
                json!({ "error": "" }),
                Value::Null,
            ),
            (
                json!({ "type": "object", "properties": { "a": { "$ref": "#/$defs/x" } } }),
                json!({ "a": 1 }),
                Value::Null,
            ),
        ];
        for (schema, value, wrong) in table {
            let full = published(schema.as_object().unwrap());
            for schema in [full.clone(), shallow(&full)] {
                assert_eq!(schema["type"], "object");
                let validator = jsonschema::validator_for(&Value::Object(schema.clone())).unwrap();
                for fits in [
                    &value,
                    &json!({ "error": { "code": "x" } }),
                    &json!({ "resource": "actions://result/1" }),
                ] {
                    assert!(validator.is_valid(fits), "{fits} {schema:?}");
                }
            }
            let validator = jsonschema::validator_for(&Value::Object(full.clone())).unwrap();
            assert!(!validator.is_valid(&wrong), "{wrong} {full:?}");
        }
        let shown = serde_json::to_string(&published(closed.as_object().unwrap())).unwrap();
        assert!(shown.len() < 200, "{shown}");
    }
}
