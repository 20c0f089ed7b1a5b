//! Declared defaults.

use serde_json::Value;

use crate::output_path::resolve;

/// Fills in the `default` of every absent property of the objects in the value.
///
/// Branches of `anyOf` and `oneOf` are left alone: which of them is meant is not known before validation.
pub(crate) fn apply_defaults(root: &Value, value: &mut Value) {
    fill(root, root, value, &mut Vec::new());
}

/// `seen` holds the schemas already applied to this very value, so that schemas which refer to themselves end.
fn fill<'s>(root: &'s Value, schema: &'s Value, value: &mut Value, seen: &mut Vec<&'s Value>) {
    let Some(schema) = resolve(root, schema) else { return };
    if seen.iter().any(|known| std::ptr::eq(*known, schema)) {
        return;
    }
    seen.push(schema);
    for part in schema.get("allOf").and_then(Value::as_array).into_iter().flatten() {
        fill(root, part, value, seen);
    }
    match value {
        Value::Object(map) => {
            for (key, property) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
                match map.get_mut(key) {
                    Some(value) => fill(root, property, value, &mut Vec::new()),
                    None => {
                        if let Some(default) = default_of(root, property) {
                            map.insert(key.clone(), default.clone());
                        }
                    }
                }
            }
        }
        Value::Array(items) => {
            if let Some(schema) = schema.get("items") {
                items.iter_mut().for_each(|item| fill(root, schema, item, &mut Vec::new()));
            }
        }
        _ => {}
    }
}

/// A default beside a reference comes before the one of the schema it refers to.
fn default_of<'s>(root: &'s Value, property: &'s Value) -> Option<&'s Value> {
    property.get("default").or_else(|| resolve(root, property)?.get("default"))
}
