//! Follows the references of a schema.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;

use percent_encoding::percent_decode_str;
use serde_json::{Map, Value};

/// A JSON Schema that is an object.
pub type Schema = Map<String, Value>;

/// Where the references of one schema lead. Each is resolved once; nothing is ever fetched.
#[derive(Debug)]
pub struct References<'s> {
    root: &'s Schema,
    /// The schemas that bear an anchor; collected when an anchor is first asked for.
    anchors: OnceCell<HashMap<&'s str, &'s Schema>>,
    /// By the address of the text of the reference: texts may be long.
    known: RefCell<HashMap<*const u8, Option<&'s Schema>>>,
}

impl<'s> References<'s> {
    /// The references within a schema.
    pub fn of(root: &'s Schema) -> Self {
        Self { root, anchors: OnceCell::new(), known: RefCell::default() }
    }

    /// The schema a reference leads to, by a pointer or an anchor.
    pub fn referred(&self, reference: &'s str) -> Option<&'s Schema> {
        if let Some(known) = self.known.borrow().get(&reference.as_ptr()) {
            return *known;
        }
        let found = self.resolve(reference);
        self.known.borrow_mut().insert(reference.as_ptr(), found);
        found
    }

    fn resolve(&self, reference: &str) -> Option<&'s Schema> {
        let fragment = percent_decode_str(reference.strip_prefix('#')?).decode_utf8().ok()?;
        match fragment.strip_prefix('/') {
            Some(pointer) => self.at(pointer)?.as_object(),
            None if fragment.is_empty() => Some(self.root),
            None => self.anchored(&fragment),
        }
    }

    /// Whether a reference is a pointer to nothing.
    pub(crate) fn is_dangling(&self, reference: &str) -> bool {
        let Some(pointer) = reference.strip_prefix("#/") else { return false };
        self.at(&percent_decode_str(pointer).decode_utf8_lossy()).is_none()
    }

    /// The value at a pointer, without its first slash.
    fn at(&self, pointer: &str) -> Option<&'s Value> {
        let (first, rest) =
            pointer.split_once('/').map_or((pointer, None), |(first, rest)| (first, Some(rest)));
        let member = self.root.get(&first.replace("~1", "/").replace("~0", "~"))?;
        rest.map_or(Some(member), |rest| member.pointer(&format!("/{rest}")))
    }

    /// The first schema that bears an anchor.
    fn anchored(&self, anchor: &str) -> Option<&'s Schema> {
        let anchors = self.anchors.get_or_init(|| {
            let mut anchors = HashMap::new();
            collect_anchors(self.root, &mut anchors);
            anchors
        });
        anchors.get(anchor).copied()
    }

    /// The schemas that a schema refers to; `None` for a reference that leads nowhere.
    pub fn from(&self, schema: &'s Schema) -> impl Iterator<Item = Option<&'s Schema>> {
        texts(schema).map(|reference| self.referred(reference))
    }

    /// A schema and everything that holds wherever it does, each once: references may go round in circles.
    pub fn applied(&self, schema: &'s Schema) -> Vec<&'s Schema> {
        let mut applied = vec![schema];
        let mut next = 0;
        while let Some(schema) = applied.get(next).copied() {
            next += 1;
            let all = schema.get("allOf").and_then(Value::as_array).into_iter().flatten();
            for further in self.from(schema).flatten().chain(all.filter_map(Value::as_object)) {
                if !applied.iter().any(|known| std::ptr::eq(*known, further)) {
                    applied.push(further);
                }
            }
        }
        applied
    }
}

/// The texts of the references of a schema.
fn texts(schema: &Schema) -> impl Iterator<Item = &str> {
    ["$ref", "$dynamicRef"].into_iter().filter_map(|key| schema.get(key)?.as_str())
}

fn collect_anchors<'s>(schema: &'s Schema, anchors: &mut HashMap<&'s str, &'s Schema>) {
    for key in ["$anchor", "$dynamicAnchor"] {
        if let Some(anchor) = schema.get(key).and_then(Value::as_str) {
            anchors.entry(anchor).or_insert(schema);
        }
    }
    schema.values().for_each(|value| collect_anchors_within(value, anchors));
}

fn collect_anchors_within<'s>(value: &'s Value, anchors: &mut HashMap<&'s str, &'s Schema>) {
    match value {
        Value::Object(schema) => collect_anchors(schema, anchors),
        Value::Array(items) => items.iter().for_each(|item| collect_anchors_within(item, anchors)),
        _ => {}
    }
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
        let references = References::of(schema.as_object().unwrap());
        let title = |reference: &'static str| {
            references.referred(reference).and_then(|schema| schema["title"].as_str())
        };
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
