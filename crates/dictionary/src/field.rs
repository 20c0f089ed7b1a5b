//! One argument or output field of a primitive, as a reader of its schema needs it.

use serde_json::Value;

/// One property of a schema.
#[derive(Debug)]
#[non_exhaustive]
pub struct Field<'s> {
    /// The name of the property.
    pub name: &'s str,
    /// The type in a word or two, such as `string`, `list of element` or `left|middle|right`.
    pub kind: String,
    /// Whether the schema requires it.
    pub required: bool,
    /// The declared default.
    pub default: Option<&'s Value>,
    /// The declared description, else that of the shared type; empty if there is neither.
    pub description: &'s str,
}

/// Returns the properties of an object schema in their declared order.
///
/// ```
/// use actions_dictionary::{Dictionary, fields};
///
/// let click = Dictionary::builtin().get("pointer.click").expect("it is in the dictionary");
/// let locator = &click.input_schema()["$defs"]["locator"];
/// assert!(fields(locator).iter().any(|field| field.name == "selector" && field.kind == "string"));
/// ```
pub fn fields(schema: &Value) -> Vec<Field<'_>> {
    let required = |name: &str| {
        let names = schema["required"].as_array();
        names.is_some_and(|names| names.iter().any(|required| required == name))
    };
    let properties = schema["properties"].as_object().into_iter().flatten();
    properties
        .map(|(name, property)| Field {
            name,
            kind: kind(property),
            required: required(name),
            default: property.get("default"),
            description: description(schema, property),
        })
        .collect()
}

fn description<'s>(schema: &'s Value, property: &'s Value) -> &'s str {
    let shared = property["$ref"].as_str().and_then(|reference| schema.pointer(reference.strip_prefix('#')?));
    let described = [Some(property), shared].into_iter().flatten();
    described.filter_map(|described| described["description"].as_str()).next().unwrap_or_default()
}

fn kind(property: &Value) -> String {
    if let Some(name) = property["$ref"].as_str().and_then(|reference| reference.rsplit('/').next()) {
        return name.to_owned();
    }
    if let Some(words) = property["enum"].as_array() {
        let words = words.iter().map(|word| word.as_str().map_or_else(|| word.to_string(), str::to_owned));
        return words.collect::<Vec<_>>().join("|");
    }
    match &property["type"] {
        Value::String(name) if name == "array" => format!("list of {}", kind(&property["items"])),
        Value::String(name) => name.clone(),
        Value::Array(names) => names.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("|"),
        _ => "value".to_owned(),
    }
}
