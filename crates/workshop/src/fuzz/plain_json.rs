//! A JSON value as the reader of maps takes it: of a repeated key the first value counts.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// A JSON value in which the first of repeated keys counts, and whether any key was repeated.
#[derive(Debug)]
pub struct PlainJson {
    /// The value.
    pub value: Value,
    /// Whether a key stands twice in an object.
    pub repeats_a_key: bool,
}

impl<'de> Deserialize<'de> for PlainJson {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(FirstWins)
    }
}

struct FirstWins;

impl<'de> Visitor<'de> for FirstWins {
    type Value = PlainJson;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<PlainJson, E> {
        Ok(Value::Null.into())
    }

    fn visit_bool<E>(self, value: bool) -> Result<PlainJson, E> {
        Ok(Value::Bool(value).into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<PlainJson, E> {
        Ok(Value::Number(value.into()).into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<PlainJson, E> {
        Ok(Value::Number(value.into()).into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<PlainJson, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number).into())
    }

    fn visit_str<E>(self, value: &str) -> Result<PlainJson, E> {
        Ok(Value::String(value.to_owned()).into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<PlainJson, A::Error> {
        let mut elements = Vec::new();
        let mut repeats_a_key = false;
        while let Some(element) = access.next_element::<PlainJson>()? {
            repeats_a_key |= element.repeats_a_key;
            elements.push(element.value);
        }
        Ok(PlainJson { value: Value::Array(elements), repeats_a_key })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<PlainJson, A::Error> {
        let mut members = Map::new();
        let mut repeats_a_key = false;
        while let Some((key, member)) = access.next_entry::<String, PlainJson>()? {
            repeats_a_key |= member.repeats_a_key || members.contains_key(&key);
            members.entry(key).or_insert(member.value);
        }
        Ok(PlainJson { value: Value::Object(members), repeats_a_key })
    }
}

impl From<Value> for PlainJson {
    fn from(value: Value) -> Self {
        Self { value, repeats_a_key: false }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::PlainJson;

    #[test]
    fn the_first_of_repeated_keys_counts() {
        let plain: PlainJson = serde_json::from_str(r#"[{"a": {"b": 1}, "a": 2, "c": -1.5}, null]"#).unwrap();
        assert!(plain.repeats_a_key);
        assert_eq!(plain.value, json!([{"a": {"b": 1}, "c": -1.5}, null]));
    }
}
