//! The defaults of a schema, wherever it leads without a choice: through properties, items, `allOf` and references.

use serde_json::{Map, Value};

use crate::schema::{Schema, applied};

/// Fills in the defaults of what is absent.
pub(super) fn fill(root: &Schema, value: &mut Value) {
    fill_by(root, root, value);
}

fn fill_by(root: &Schema, schema: &Schema, value: &mut Value) {
    for schema in applied(root, schema) {
        match value {
            Value::Object(members) => fill_members(root, schema, members),
            Value::Array(items) => fill_items(root, schema, items),
            _ => {}
        }
    }
}

fn fill_members(root: &Schema, schema: &Schema, members: &mut Map<String, Value>) {
    for (name, property) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        let Value::Object(property) = property else { continue };
        match members.get_mut(name) {
            Some(member) => fill_by(root, property, member),
            None => {
                let default = applied(root, property).into_iter().find_map(|schema| schema.get("default"));
                members.extend(default.map(|default| (name.clone(), default.clone())));
            }
        }
    }
}

fn fill_items(root: &Schema, schema: &Schema, items: &mut [Value]) {
    let first = schema.get("prefixItems").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let rest = schema.get("items");
    for (index, item) in items.iter_mut().enumerate() {
        if let Some(Value::Object(schema)) = first.get(index).or(rest) {
            fill_by(root, schema, item);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn filled(schema: Value, mut value: Value) -> Value {
        let Value::Object(schema) = schema else { unreachable!("a schema is an object") };
        fill(&schema, &mut value);
        value
    }

    #[test]
    fn objects_within_objects_are_filled_and_what_is_given_stays() {
        let inner = json!({ "properties": { "b": { "default": 2 }, "c": { "default": 3 } } });
        let schema = json!({ "properties": { "a": inner, "d": { "default": null } } });
        assert_eq!(filled(schema, json!({ "a": { "c": 0 } })), json!({ "a": { "c": 0, "b": 2 }, "d": null }));
    }

    #[test]
    fn references_and_all_of_are_followed() {
        let schema = json!({
            "$defs": { "page": { "type": "integer", "default": 1 }, "a/b": { "properties": { "n": { "default": 5 } } } },
            "allOf": [{ "properties": { "page": { "$ref": "#/$defs/page" } } }, { "$ref": "#/$defs/a~1b" }],
        });
        assert_eq!(filled(schema, json!({})), json!({ "page": 1, "n": 5 }));
    }

    #[test]
    fn the_items_of_a_list_are_filled_each_by_its_own_schema() {
        let with = |default: u8| json!({ "properties": { "n": { "default": default } } });
        let schema = json!({ "properties": { "list": { "prefixItems": [with(1)], "items": with(2) } } });
        let list = filled(schema, json!({ "list": [{}, {}, { "n": 9 }] }));
        assert_eq!(list, json!({ "list": [{ "n": 1 }, { "n": 2 }, { "n": 9 }] }));
    }

    #[test]
    fn references_may_go_round_in_circles() {
        let schema = json!({
            "$ref": "#/$defs/node",
            "$defs": { "node": { "allOf": [{ "$ref": "#" }, { "$ref": "https://elsewhere.example/" }],
                "properties": { "child": { "$ref": "#/$defs/node" }, "n": { "default": 1 } } } },
        });
        assert_eq!(filled(schema, json!({ "child": {} })), json!({ "child": { "n": 1 }, "n": 1 }));
    }
}
