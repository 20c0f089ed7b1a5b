//! Every way to break one key of a map.

use serde_json::{Value, json};

use crate::fuzz::write::{Repeat, write};

/// A key of some object in a map: the steps that lead to the object, then the key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyPlace {
    object: Vec<Step>,
    key: String,
}

/// One step down into a value.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    Key(String),
    Index(usize),
}

/// What is done to a key.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// The member is taken out.
    Delete,
    /// The key is given another name.
    Rename(String),
    /// The value is replaced by one of another type.
    Retype(Value),
    /// The member is written a second time, with this value.
    Duplicate(Value),
    /// The value is wrapped in an array.
    NestInArray,
    /// The value is wrapped in an object, under its own key.
    NestInObject,
}

/// A change to one key of a map.
#[derive(Clone, Debug)]
pub struct Mutation {
    /// The key.
    pub place: KeyPlace,
    /// The change.
    pub change: Change,
}

/// Every key of every object in a value, in the order of the text.
pub fn keys(value: &Value) -> Vec<KeyPlace> {
    let mut places = Vec::new();
    collect(value, &mut Vec::new(), &mut places);
    places
}

fn collect(value: &Value, path: &mut Vec<Step>, places: &mut Vec<KeyPlace>) {
    match value {
        Value::Object(members) => {
            for (key, member) in members {
                places.push(KeyPlace { object: path.clone(), key: key.clone() });
                path.push(Step::Key(key.clone()));
                collect(member, path, places);
                path.pop();
            }
        }
        Value::Array(elements) => {
            for (index, element) in elements.iter().enumerate() {
                path.push(Step::Index(index));
                collect(element, path, places);
                path.pop();
            }
        }
        _ => {}
    }
}

impl KeyPlace {
    /// The object that has the key.
    fn object<'v>(&self, value: &'v mut Value) -> Option<&'v mut serde_json::Map<String, Value>> {
        let object = self.object.iter().try_fold(value, |at, step| match step {
            Step::Key(key) => at.get_mut(key),
            Step::Index(index) => at.get_mut(index),
        });
        object.and_then(Value::as_object_mut)
    }

    /// Every change this key can go through.
    fn changes(&self, value: &Value) -> Vec<Change> {
        let kinds = [json!(null), json!(true), json!(7), json!("x"), json!([]), json!({})];
        let retypes =
            kinds.into_iter().filter(|other| std::mem::discriminant(other) != std::mem::discriminant(value));
        let mut typo = self.key.clone();
        typo.pop();
        let mut changes = vec![
            Change::Delete,
            Change::Rename(format!("{}x", self.key)),
            Change::Rename(typo),
            Change::Duplicate(value.clone()),
            Change::Duplicate(Value::Null),
            Change::NestInArray,
            Change::NestInObject,
        ];
        changes.extend(retypes.map(Change::Retype));
        changes
    }
}

impl Mutation {
    /// Every change to every key of a map.
    pub fn all(map: &Value) -> impl Iterator<Item = Mutation> {
        let mut scratch = map.clone();
        keys(map).into_iter().flat_map(move |place| {
            let value = place.object(&mut scratch).and_then(|object| object.get(&place.key).cloned());
            let changes = place.changes(&value.unwrap_or_default());
            changes.into_iter().map(move |change| Mutation { place: place.clone(), change })
        })
    }

    /// The text of the map with the change made.
    pub fn apply(&self, map: &Value) -> String {
        let mut map = map.clone();
        let Some(object) = self.place.object(&mut map) else { return write(&map, None) };
        let key = &self.place.key;
        match &self.change {
            Change::Delete => {
                object.shift_remove(key);
            }
            Change::Rename(name) => {
                let renamed = |(old, value)| if old == *key { (name.clone(), value) } else { (old, value) };
                *object = std::mem::take(object).into_iter().map(renamed).collect();
            }
            Change::Retype(value) => {
                object.insert(key.clone(), value.clone());
            }
            Change::NestInArray => {
                if let Some(value) = object.get_mut(key) {
                    *value = json!([value.take()]);
                }
            }
            Change::NestInObject => {
                if let Some(value) = object.get_mut(key) {
                    *value = json!({ key: value.take() });
                }
            }
            Change::Duplicate(value) => {
                let object: *const _ = object;
                return write(&map, Some(Repeat { object, key, value }));
            }
        }
        write(&map, None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_is_broken_in_every_way() {
        let map = json!({"a": [{"b": 1}], "c": "text"});
        let texts: Vec<String> = Mutation::all(&map).map(|mutation| mutation.apply(&map)).collect();
        let compact: Vec<String> = texts.iter().map(|text| text.split_whitespace().collect()).collect();
        for expected in [
            r#"{"c":"text"}"#,
            r#"{"ax":[{"b":1}],"c":"text"}"#,
            r#"{"a":[{"b":1}],"a":[{"b":1}],"c":"text"}"#,
            r#"{"a":[{"b":1,"b":null}],"c":"text"}"#,
            r#"{"a":[{"b":{"b":1}}],"c":"text"}"#,
            r#"{"a":[{"b":1}],"c":["text"]}"#,
            r#"{"a":[{"b":true}],"c":"text"}"#,
            r#"{"a":[{"":1}],"c":"text"}"#,
        ] {
            assert!(compact.iter().any(|text| text == expected), "{expected} is not in {compact:#?}");
        }
        assert_eq!(texts.len(), 3 * 12);
    }
}
