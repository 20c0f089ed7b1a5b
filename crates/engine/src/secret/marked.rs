//! Which values of an input its schema calls secret.

use std::collections::HashSet;

use actions_manifest::schema::{References, Schema};
use actions_protocol::limits;
use serde_json::{Map, Value};

/// The values of an input whose schema says `"format": "password"`, `"writeOnly": true` or `"x_secret": true`. `None` if
/// there is too much to look at.
pub(super) fn marked<'v>(schema: &Schema, input: &'v Value) -> Option<Vec<&'v Value>> {
    if !marks_anything(schema) {
        return Some(Vec::new());
    }
    let references = References::of(schema);
    let mut walk = Walk { references, met: HashSet::new(), found: Vec::new(), steps: 0 };
    walk.schema(schema, input);
    (walk.steps <= MOST_STEPS).then_some(walk.found)
}

/// How often a schema may meet a value.
const MOST_STEPS: usize = limits::SCHEMA_STEPS;

/// Whether a schema calls anything secret.
fn marks_anything(schema: &Schema) -> bool {
    fn within(value: &Value) -> bool {
        match value {
            Value::Object(schema) => marks_anything(schema),
            Value::Array(items) => items.iter().any(within),
            _ => false,
        }
    }
    is_marked(schema) || schema.values().any(within)
}

struct Walk<'w, 'v> {
    references: References<'w>,
    /// The pairs of schema and value that were looked at: a schema can refer to itself.
    met: HashSet<(*const Schema, *const Value)>,
    found: Vec<&'v Value>,
    steps: usize,
}

impl<'w, 'v> Walk<'w, 'v> {
    fn value(&mut self, schema: &'w Value, value: &'v Value) {
        if let Value::Object(schema) = schema {
            self.schema(schema, value);
        }
    }

    fn schema(&mut self, schema: &'w Schema, value: &'v Value) {
        self.steps += 1;
        if self.steps > MOST_STEPS
            || !self.met.insert((std::ptr::from_ref(schema), std::ptr::from_ref(value)))
        {
            return;
        }
        if is_marked(schema) {
            self.found.push(value);
            return;
        }
        let referred: Vec<_> = self.references.from(schema).collect();
        for referred in referred {
            match referred {
                Some(referred) => self.schema(referred, value),
                // Its text is unknown.
                None => self.found.push(value),
            }
        }
        // Whether a branch applies is not asked: what any of them calls secret is secret.
        let lists = ["allOf", "anyOf", "oneOf"].into_iter().filter_map(|key| schema.get(key)?.as_array());
        let single = ["if", "then", "else"].into_iter().filter_map(|key| schema.get(key));
        let dependent = schema.get("dependentSchemas").and_then(Value::as_object);
        let branches = lists.flatten().chain(single).chain(dependent.into_iter().flat_map(Map::values));
        branches.for_each(|branch| self.value(branch, value));
        match value {
            Value::Object(members) => self.members(schema, members),
            Value::Array(items) => self.items(schema, items),
            _ => {}
        }
    }

    fn members(&mut self, schema: &'w Schema, members: &'v Map<String, Value>) {
        let declared = schema.get("properties").and_then(Value::as_object);
        // A pattern is not evaluated here: what any of them calls secret is secret.
        let patterns = schema.get("patternProperties").and_then(Value::as_object);
        for (name, member) in members {
            match declared.and_then(|declared| declared.get(name)) {
                Some(property) => self.value(property, member),
                None => {
                    let rest = ["additionalProperties", "unevaluatedProperties"];
                    rest.into_iter()
                        .filter_map(|key| schema.get(key))
                        .for_each(|rest| self.value(rest, member));
                }
            }
            patterns.into_iter().flatten().for_each(|(_, pattern)| self.value(pattern, member));
        }
    }

    fn items(&mut self, schema: &'w Schema, items: &'v [Value]) {
        let first =
            schema.get("prefixItems").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        for (index, item) in items.iter().enumerate() {
            let own = first.get(index).or_else(|| schema.get("items"));
            let any = ["contains", "unevaluatedItems"].into_iter().filter_map(|key| schema.get(key));
            own.into_iter().chain(any).for_each(|schema| self.value(schema, item));
        }
    }
}

fn is_marked(schema: &Schema) -> bool {
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
        let found = marked(schema.as_object().unwrap(), &input).unwrap();
        let mut texts: Vec<String> = found.iter().map(|value| value.to_string()).collect();
        texts.sort();
        texts.dedup();
        assert_eq!(texts, ["\"four\"", "\"one\"", "\"six\"", "\"three\"", "\"two\"", "5"]);
    }

    #[test]
    fn secrets_are_found_behind_every_kind_of_reference() {
        let schema = json!({
            "$defs": {
                "anchored": { "$anchor": "pin", "writeOnly": true },
                "my pin": { "x_secret": true },
                "tail": { "properties": { "otp": { "format": "password" } } },
            },
            "properties": { "a": { "$ref": "#pin" }, "b": { "$ref": "#/$defs/my%20pin" }, "open": {} },
            "dependentSchemas": { "a": { "$ref": "#/$defs/tail" } },
            "unevaluatedProperties": { "$dynamicRef": "#pin" },
        });
        let input = json!({ "a": "one", "b": "two", "open": "seen", "otp": "three", "rest": "four" });
        let found = marked(schema.as_object().unwrap(), &input).unwrap();
        let mut texts: Vec<&str> = found.into_iter().filter_map(Value::as_str).collect();
        texts.sort_unstable();
        texts.dedup();
        assert_eq!(texts, ["four", "one", "three", "two"]);
    }

    #[test]
    fn what_stands_behind_a_reference_to_nowhere_is_taken_for_a_secret() {
        let schema = json!({ "properties": { "a": { "$ref": "#nowhere" }, "b": { "writeOnly": true } } });
        let input = json!({ "a": "one", "b": "two" });
        assert_eq!(marked(schema.as_object().unwrap(), &input).unwrap(), [&json!("one"), &json!("two")]);
    }

    #[test]
    fn a_schema_that_refers_to_itself_ends() {
        let schema =
            json!({ "$ref": "#", "allOf": [{ "$ref": "#" }], "properties": { "a": { "x_secret": true } } });
        assert_eq!(marked(schema.as_object().unwrap(), &json!({ "a": 1 })).unwrap(), [&json!(1)]);
    }
}
