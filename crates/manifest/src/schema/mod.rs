//! Ways through a JSON Schema, and how much work it is to go them.
//!
//! A few lines of a schema can describe more work than a machine can do: references double at every level, patterns
//! repeat repetitions. `Extent` measures a schema alone and [`Work`] a schema with a value, each without doing the work.

mod extent;
mod pattern;
mod reference;
mod work;

pub(crate) use extent::Extent;
pub(crate) use pattern::states;
pub use reference::{References, Schema};
pub use work::{TooMuchWork, Work};

use serde_json::Value;

/// The keywords whose schema applies to the value itself.
const SAME_VALUE: &[&str] = &["not", "if", "then", "else"];

/// The keywords whose list of schemas applies to the value itself.
const SAME_VALUE_LISTS: &[&str] = &["allOf", "anyOf", "oneOf"];

/// The keywords whose schema applies to parts of a value.
const PARTS: &[&str] = &[
    "additionalProperties",
    "unevaluatedProperties",
    "propertyNames",
    "items",
    "contains",
    "unevaluatedItems",
];

/// The keywords whose schemas, by name, apply to parts of a value.
const NAMED_PARTS: &[&str] = &["properties", "patternProperties"];

/// The members of an object in a schema that are schemas themselves.
fn named<'s>(schema: &'s Schema, key: &str) -> impl Iterator<Item = (&'s String, &'s Schema)> {
    let named = schema.get(key).and_then(Value::as_object).into_iter().flatten();
    named.filter_map(|(name, schema)| Some((name, schema.as_object()?)))
}

/// The elements of a list in a schema that are schemas themselves.
fn listed<'s>(schema: &'s Schema, key: &str) -> impl Iterator<Item = &'s Schema> {
    schema.get(key).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_object)
}

/// Every schema that a schema applies to the same value, except through references.
fn on_same_value(schema: &Schema) -> impl Iterator<Item = &Schema> {
    let single = SAME_VALUE.iter().filter_map(|key| schema.get(*key)?.as_object());
    let lists = SAME_VALUE_LISTS.iter().flat_map(|key| listed(schema, key));
    single.chain(lists).chain(named(schema, "dependentSchemas").map(|(_, schema)| schema))
}

/// Every schema that a schema applies to parts of a value.
fn on_parts(schema: &Schema) -> impl Iterator<Item = &Schema> {
    let single = PARTS.iter().filter_map(|key| schema.get(*key)?.as_object());
    let by_name = NAMED_PARTS.iter().flat_map(|key| named(schema, key).map(|(_, schema)| schema));
    single.chain(by_name).chain(listed(schema, "prefixItems"))
}

/// The patterns that stand in a schema itself.
fn patterns(schema: &Schema) -> impl Iterator<Item = &str> {
    let own = schema.get("pattern").and_then(Value::as_str);
    let names = schema.get("patternProperties").and_then(Value::as_object).into_iter().flatten();
    own.into_iter().chain(names.map(|(pattern, _)| pattern.as_str()))
}
