//! The defaults of a schema, wherever it leads without a choice: through properties, items, `allOf` and references.

use std::collections::HashMap;
use std::rc::Rc;

use actions_manifest::schema::{References, Schema, TooMuchWork};
use actions_protocol::limits;
use serde_json::{Map, Value};

/// Fills in the defaults of what is absent.
pub(super) fn fill(root: &Schema, value: &mut Value) -> Result<(), TooMuchWork> {
    let mut filling = Filling { references: References::of(root), applied: HashMap::new(), steps: 0 };
    filling.by(root, value)
}

struct Filling<'s> {
    references: References<'s>,
    /// What applies with each schema, once it was found out.
    applied: HashMap<*const Schema, Rc<[&'s Schema]>>,
    /// Each look at a schema and each value that is filled in.
    steps: usize,
}

impl<'s> Filling<'s> {
    fn steps(&mut self, steps: usize) -> Result<(), TooMuchWork> {
        self.steps += steps;
        match self.steps <= limits::SCHEMA_STEPS {
            true => Ok(()),
            false => Err(TooMuchWork { allowed: limits::SCHEMA_STEPS }),
        }
    }

    fn applied(&mut self, schema: &'s Schema) -> Rc<[&'s Schema]> {
        let known = self.applied.entry(std::ptr::from_ref(schema));
        Rc::clone(known.or_insert_with(|| self.references.applied(schema).into()))
    }

    fn by(&mut self, schema: &'s Schema, value: &mut Value) -> Result<(), TooMuchWork> {
        for schema in self.applied(schema).iter() {
            self.steps(1)?;
            match value {
                Value::Object(members) => self.members(schema, members)?,
                Value::Array(items) => self.items(schema, items)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn members(&mut self, schema: &'s Schema, members: &mut Map<String, Value>) -> Result<(), TooMuchWork> {
        for (name, property) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
            let Value::Object(property) = property else { continue };
            self.steps(1)?;
            if let Some(member) = members.get_mut(name) {
                self.by(property, member)?;
                continue;
            }
            if let Some(default) = self.applied(property).iter().find_map(|schema| schema.get("default")) {
                self.steps(size(default))?;
                members.insert(name.clone(), default.clone());
            }
        }
        Ok(())
    }

    fn items(&mut self, schema: &'s Schema, items: &mut [Value]) -> Result<(), TooMuchWork> {
        let first =
            schema.get("prefixItems").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let rest = schema.get("items");
        for (index, item) in items.iter_mut().enumerate() {
            if let Some(Value::Object(schema)) = first.get(index).or(rest) {
                self.by(schema, item)?;
            }
        }
        Ok(())
    }
}

/// The parts of a value; long texts count by their length.
fn size(value: &Value) -> usize {
    match value {
        Value::String(text) => 1 + text.len() / 32,
        Value::Array(items) => 1 + items.iter().map(size).sum::<usize>(),
        Value::Object(members) => {
            1 + members.iter().map(|(key, member)| 1 + key.len() / 32 + size(member)).sum::<usize>()
        }
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn filled(schema: Value, mut value: Value) -> Value {
        let Value::Object(schema) = schema else { unreachable!("a schema is an object") };
        fill(&schema, &mut value).unwrap();
        value
    }

    #[test]
    fn defaults_that_grow_beyond_bounds_are_refused() {
        let long = json!({ "items": { "properties": { "a": { "default": "x".repeat(100_000) } } } });
        let many = |count: usize| Value::from(vec![json!({}); count]);
        assert!(fill(long.as_object().unwrap(), &mut many(10)).is_ok());
        assert!(fill(long.as_object().unwrap(), &mut many(10_000)).is_err());
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
