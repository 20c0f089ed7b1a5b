//! Which values of an input its schema calls secret.

use std::collections::HashSet;

use serde_json::{Map, Value};

/// The values of an input whose schema says `"format": "password"`, `"writeOnly": true` or `"x_secret": true`.
pub(super) fn marked<'v>(schema: &Map<String, Value>, input: &'v Value) -> Vec<&'v Value> {
    let root = Value::Object(schema.clone());
    let mut walk = Walk { root: &root, met: HashSet::new(), found: Vec::new() };
    walk.value(&root, input);
    walk.found
}

struct Walk<'w, 'v> {
    root: &'w Value,
    /// The pairs of schema and value that were looked at: a schema can refer to itself.
    met: HashSet<(*const Value, *const Value)>,
    found: Vec<&'v Value>,
}

impl<'w, 'v> Walk<'w, 'v> {
    fn value(&mut self, schema: &'w Value, value: &'v Value) {
        let pair = (std::ptr::from_ref(schema), std::ptr::from_ref(value));
        let Value::Object(schema) = schema else { return };
        if !self.met.insert(pair) {
            return;
        }
        if is_marked(schema) {
            self.found.push(value);
            return;
        }
        let local = schema.get("$ref").and_then(Value::as_str).and_then(|reference| self.local(reference));
        if let Some(referred) = local {
            self.value(referred, value);
        }
        for key in ["allOf", "anyOf", "oneOf"] {
            for branch in schema.get(key).and_then(Value::as_array).into_iter().flatten() {
                self.value(branch, value);
            }
        }
        for key in ["if", "then", "else"] {
            schema.get(key).into_iter().for_each(|branch| self.value(branch, value));
        }
        match value {
            Value::Object(members) => self.members(schema, members),
            Value::Array(items) => self.items(schema, items),
            _ => {}
        }
    }

    fn members(&mut self, schema: &'w Map<String, Value>, members: &'v Map<String, Value>) {
        let declared = schema.get("properties").and_then(Value::as_object);
        // A pattern is not evaluated here: what any of them calls secret is secret.
        let patterns = schema.get("patternProperties").and_then(Value::as_object);
        let dependent = schema.get("dependentSchemas").and_then(Value::as_object);
        for (name, member) in members {
            match declared.and_then(|declared| declared.get(name)) {
                Some(property) => self.value(property, member),
                None => {
                    schema.get("additionalProperties").into_iter().for_each(|rest| self.value(rest, member))
                }
            }
            patterns.into_iter().flatten().for_each(|(_, pattern)| self.value(pattern, member));
        }
        for (_, branch) in dependent.into_iter().flatten() {
            for (name, property) in branch["properties"].as_object().into_iter().flatten() {
                members.get(name).into_iter().for_each(|member| self.value(property, member));
            }
        }
    }

    fn items(&mut self, schema: &'w Map<String, Value>, items: &'v [Value]) {
        let first =
            schema.get("prefixItems").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        for (index, item) in items.iter().enumerate() {
            let own = first.get(index).or_else(|| schema.get("items"));
            own.into_iter().for_each(|own| self.value(own, item));
        }
    }

    fn local(&self, reference: &str) -> Option<&'w Value> {
        self.root.pointer(reference.strip_prefix('#')?)
    }
}

fn is_marked(schema: &Map<String, Value>) -> bool {
    let says = |key: &str, value: Value| schema.get(key) == Some(&value);
    says("format", "password".into()) || says("writeOnly", true.into()) || says("x_secret", true.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn secrets_are_found_wherever_a_schema_can_hide_them() {
        let schema = json!({
            "$defs": { "key": { "type": "string", "x_secret": true } },
            "properties": {
                "account": { "properties": { "password": { "format": "password" }, "user": {} } },
                "keys": { "items": { "$ref": "#/$defs/key" } },
                "pair": { "prefixItems": [{}, { "writeOnly": true }] },
            },
            "additionalProperties": { "x_secret": true },
            "allOf": [{ "properties": { "pin": { "writeOnly": true } } }],
        });
        let input = json!({
            "account": { "user": "ada", "password": "one" }, "keys": ["two", "three"], "pair": ["x", "four"],
            "pin": 5, "other": "six",
        });
        let found = marked(schema.as_object().unwrap(), &input);
        let mut texts: Vec<String> = found.iter().map(|value| value.to_string()).collect();
        texts.sort();
        texts.dedup();
        assert_eq!(texts, ["\"four\"", "\"one\"", "\"six\"", "\"three\"", "\"two\"", "5"]);
    }

    #[test]
    fn a_schema_that_refers_to_itself_ends() {
        let schema = json!({ "$ref": "#", "allOf": [{ "$ref": "#" }] });
        assert!(marked(schema.as_object().unwrap(), &json!({ "a": 1 })).is_empty());
    }
}
