//! Shared sub-schemas: `"$ref": "actions:locator"` becomes a reference into the schema's own `$defs`.

use serde_json::{Map, Value, json};

use crate::embedded;

const SCHEME: &str = "actions:";
const DRAFT: &str = "https://json-schema.org/draft/2020-12/schema";

/// Makes a schema self-contained: every shared sub-schema it reaches is copied into `$defs` once.
pub(crate) fn bundle(mut schema: Value) -> Value {
    let mut wanted = Vec::new();
    localise(&mut schema, &mut wanted);

    let mut defs = Map::new();
    while let Some(name) = wanted.pop() {
        if defs.contains_key(&name) {
            continue;
        }
        let mut shared = shared(&name);
        localise(&mut shared, &mut wanted);
        defs.insert(name, shared);
    }
    defs.sort_keys();

    let Value::Object(body) = schema else { return schema };
    let mut bundled = Map::new();
    bundled.insert("$schema".to_owned(), DRAFT.into());
    bundled.extend(body);
    if !defs.is_empty() {
        bundled.insert("$defs".to_owned(), Value::Object(defs));
    }
    Value::Object(bundled)
}

/// Makes a shared sub-schema self-contained.
pub(crate) fn bundle_shared(name: &str) -> Value {
    bundle(json!({ "$ref": format!("{SCHEME}{name}") }))
}

fn shared(name: &str) -> Value {
    let text = embedded::find(embedded::SHARED, name)
        .expect("the tests of this crate resolve every reference to a shared schema");
    serde_json::from_str(text).expect("the tests of this crate parse every embedded file")
}

fn localise(schema: &mut Value, wanted: &mut Vec<String>) {
    match schema {
        Value::Object(map) => {
            for (key, value) in map {
                match (key.as_str(), &*value) {
                    ("$ref", Value::String(target)) if target.starts_with(SCHEME) => {
                        let name = target[SCHEME.len()..].to_owned();
                        *value = format!("#/$defs/{name}").into();
                        wanted.push(name);
                    }
                    _ => localise(value, wanted),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| localise(item, wanted)),
        _ => {}
    }
}
