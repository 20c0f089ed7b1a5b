//! Reads arguments that were written as text, such as `--copies 2`.

use actions_manifest::schema::{References, Schema};
use serde_json::Value;

use super::Plan;

impl Plan {
    /// An argument written as text, as the input schema means it: `2` is a number where the schema has a number, and text
    /// where it has text.
    ///
    /// ```
    /// use actions_engine::Engine;
    /// use serde_json::json;
    ///
    /// let map = br#"{
    ///   "protocol": "actions.json", "version": 1,
    ///   "tools": [{ "name": "order.find", "description": "Finds an order.",
    ///               "input_schema": { "type": "object", "properties": {
    ///                 "number": { "type": "string" }, "copies": { "type": "integer" } } },
    ///               "x_actions": { "static_output": null } }]
    /// }"#;
    /// let plan = Engine::from_bytes("actions.json", map).unwrap().plan("order.find").unwrap();
    /// assert_eq!(plan.argument("number", "0042"), json!("0042"));
    /// assert_eq!(plan.argument("copies", "2"), json!(2));
    /// ```
    pub fn argument(&self, name: &str, text: &str) -> Value {
        typed_argument(self.input.schema(), name, text)
    }
}

/// An argument written as text, as a schema of arguments means it; see [`Plan::argument`].
pub fn typed_argument(schema: &Schema, name: &str, text: &str) -> Value {
    let property = schema.get("properties").and_then(|properties| properties.get(name));
    let allowed =
        property.and_then(Value::as_object).map(|property| types(schema, property)).unwrap_or_default();
    match serde_json::from_str::<Value>(text) {
        Ok(read) if allowed.is_empty() || allowed.iter().any(|kind| is(kind, &read)) => read,
        // Where the schema has text, quotes belong to the text.
        _ => Value::String(text.to_owned()),
    }
}

/// The types a property may have; none when the schema does not say.
fn types<'s>(schema: &'s Schema, property: &'s Schema) -> Vec<String> {
    match References::of(schema).applied(property).into_iter().find_map(|schema| schema.get("type")) {
        Some(Value::String(kind)) => vec![kind.clone()],
        Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => Vec::new(),
    }
}

/// Whether a value that was read from text is of a type; text itself is never read.
fn is(kind: &str, value: &Value) -> bool {
    match kind {
        "integer" | "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => false,
    }
}
