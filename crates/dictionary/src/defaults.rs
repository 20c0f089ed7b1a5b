//! Declared defaults.

use serde_json::Value;

use crate::output_path::resolve;

/// Fills in the `default` of every absent property of the objects in the value.
///
/// Branches of `anyOf` and `oneOf` are left alone: which of them is meant is not known before validation.
pub(crate) fn apply_defaults(root: &Value, value: &mut Value) {
    fill(root, root, value);
}

fn fill(root: &Value, schema: &Value, value: &mut Value) {
    let Some(schema) = resolve(root, schema) else { return };
    for part in schema.get("allOf").and_then(Value::as_array).into_iter().flatten() {
        fill(root, part, value);
    }
    match value {
        Value::Object(map) => {
            for (key, property) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
                match map.get_mut(key) {
                    Some(value) => fill(root, property, value),
                    None => {
                        let default = resolve(root, property).and_then(|shared| shared.get("default"));
                        if let Some(default) = property.get("default").or(default) {
                            map.insert(key.clone(), default.clone());
                        }
                    }
                }
            }
        }
        Value::Array(items) => {
            if let Some(schema) = schema.get("items") {
                items.iter_mut().for_each(|item| fill(root, schema, item));
            }
        }
        _ => {}
    }
}
