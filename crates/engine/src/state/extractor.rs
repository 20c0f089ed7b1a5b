//! Extractors as the page script reads them.

use actions_manifest::model::{Extract, Field, Frame, Located};
use serde_json::{Map, Value, json};

/// An extractor as the page script reads it.
pub(super) fn extractor(extract: &Extract) -> Value {
    let mut keys = Map::new();
    keys.insert("id".to_owned(), json!(extract.id.value));
    text(&mut keys, "selector", extract.selector.as_ref().map(|s| s.value.as_str()));
    text(&mut keys, "xpath", extract.xpath.as_ref().map(|s| s.value.as_str()));
    keys.extend(
        extract
            .frame
            .as_ref()
            .filter(|Frame(chain)| !chain.is_empty())
            .map(|Frame(chain)| ("frame".to_owned(), chain.iter().map(|one| json!(one.value)).collect())),
    );
    keys.extend(extract.many.map(|many| ("many".to_owned(), json!(many))));
    keys.extend(extract.fields.as_ref().map(|inner| ("fields".to_owned(), fields(inner))));
    Value::Object(keys)
}

fn fields(fields: &[(Located<String>, Field)]) -> Value {
    Value::Object(fields.iter().map(|(name, one)| (name.value.clone(), field(one))).collect())
}

fn field(field: &Field) -> Value {
    let mut keys = Map::new();
    text(&mut keys, "selector", field.selector.as_ref().map(|s| s.value.as_str()));
    text(&mut keys, "xpath", field.xpath.as_ref().map(|s| s.value.as_str()));
    text(&mut keys, "closest", field.closest.as_ref().map(|s| s.value.as_str()));
    text(&mut keys, "attribute", field.attribute.as_ref().map(|s| s.value.as_str()));
    text(&mut keys, "property", field.property.as_ref().map(|p| p.value.as_str()));
    keys.extend(field.many.map(|many| ("many".to_owned(), json!(many))));
    keys.extend(field.trim.map(|trim| ("trim".to_owned(), json!(trim))));
    keys.extend(field.required.map(|required| ("required".to_owned(), json!(required))));
    keys.extend(field.default.clone().map(|default| ("default".to_owned(), default)));
    keys.extend(field.fields.as_ref().map(|inner| ("fields".to_owned(), fields(inner))));
    Value::Object(keys)
}

fn text(keys: &mut Map<String, Value>, key: &str, value: Option<&str>) {
    keys.extend(value.map(|value| (key.to_owned(), json!(value))));
}
