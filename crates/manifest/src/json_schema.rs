//! The JSON Schema of the format, for editors.

use serde_json::{Map, Value, json};

use crate::lower::{Definitions, Lower};
use crate::model::Manifest;

/// The JSON Schema (2020-12) of actions.json, for editors.
///
/// It is made of the declarations the reader is made of, so the two cannot disagree.
pub fn json_schema() -> Value {
    let mut definitions = Definitions::default();
    let root = Manifest::schema(&mut definitions);
    let mut schema = Map::new();
    schema.insert("$schema".to_owned(), json!("https://json-schema.org/draft/2020-12/schema"));
    schema.insert("title".to_owned(), json!("actions.json, schema version 1"));
    schema.extend(root.as_object().cloned().unwrap_or_default());
    schema.insert("$defs".to_owned(), definitions.into_value());
    Value::Object(schema)
}
