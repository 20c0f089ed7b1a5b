//! Ways through a JSON Schema.

use percent_encoding::percent_decode_str;
use serde_json::{Map, Value};

pub(crate) type Schema = Map<String, Value>;

/// The schema a reference within the document leads to, by a pointer or an anchor; nothing is ever fetched.
pub(crate) fn referred<'s>(root: &'s Schema, reference: &str) -> Option<&'s Schema> {
    let fragment = percent_decode_str(reference.strip_prefix('#')?).decode_utf8().ok()?;
    let Some(pointer) = fragment.strip_prefix('/') else {
        return if fragment.is_empty() { Some(root) } else { anchored(root, &fragment) };
    };
    let (first, rest) = pointer.split_once('/').map_or((pointer, None), |(first, rest)| (first, Some(rest)));
    let member = root.get(&first.replace("~1", "/").replace("~0", "~"))?;
    match rest {
        Some(rest) => member.pointer(&format!("/{rest}"))?.as_object(),
        None => member.as_object(),
    }
}

/// The schema that bears an anchor.
fn anchored<'s>(schema: &'s Schema, anchor: &str) -> Option<&'s Schema> {
    let bears = |key: &str| schema.get(key).and_then(Value::as_str) == Some(anchor);
    if bears("$anchor") || bears("$dynamicAnchor") {
        return Some(schema);
    }
    schema.values().find_map(|value| anchored_within(value, anchor))
}

fn anchored_within<'s>(value: &'s Value, anchor: &str) -> Option<&'s Schema> {
    match value {
        Value::Object(schema) => anchored(schema, anchor),
        Value::Array(items) => items.iter().find_map(|item| anchored_within(item, anchor)),
        _ => None,
    }
}

/// The references of a schema.
pub(crate) fn references(schema: &Schema) -> impl Iterator<Item = &str> {
    ["$ref", "$dynamicRef"].into_iter().filter_map(|key| schema.get(key)?.as_str())
}

/// A schema and everything that holds wherever it does, each once: references may go round in circles.
pub(crate) fn applied<'s>(root: &'s Schema, schema: &'s Schema) -> Vec<&'s Schema> {
    let mut applied = vec![schema];
    let mut next = 0;
    while let Some(schema) = applied.get(next).copied() {
        next += 1;
        let references = references(schema).filter_map(|reference| referred(root, reference));
        let all = schema.get("allOf").and_then(Value::as_array).into_iter().flatten();
        for further in references.chain(all.filter_map(Value::as_object)) {
            if !applied.iter().any(|known| std::ptr::eq(*known, further)) {
                applied.push(further);
            }
        }
    }
    applied
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn references_lead_by_pointers_percent_encoding_and_anchors() {
        let schema = json!({ "title": "root", "$defs": {
            "a/b": { "title": "escaped" },
            "my pin": { "title": "encoded" },
            "list": { "anyOf": [{ "$anchor": "deep", "title": "anchored" }] },
        } });
        let root = schema.as_object().unwrap();
        let title = |reference: &str| referred(root, reference).and_then(|schema| schema["title"].as_str());
        assert_eq!(title("#"), Some("root"));
        assert_eq!(title("#/$defs/a~1b"), Some("escaped"));
        assert_eq!(title("#/$defs/my%20pin"), Some("encoded"));
        assert_eq!(title("#deep"), Some("anchored"));
        assert_eq!(title("#/$defs/list/anyOf/0"), Some("anchored"));
        assert_eq!(title("#/$defs/none"), None);
        assert_eq!(title("#none"), None);
        assert_eq!(title("https://elsewhere.example/"), None);
    }
}
