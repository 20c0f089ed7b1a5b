//! Reads a JSON object from a command line argument, a file or standard input.

use std::cell::Cell;
use std::fmt;
use std::fs::File;
use std::io::{self, Read};

use actions_engine::CallError;
use actions_protocol::{ErrorCode, limits};
use serde::de::{DeserializeSeed, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

/// Why an argument is not a JSON object.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NotAnObject {
    /// The file or standard input could not be read.
    #[error("{place}: {error}")]
    Unreadable {
        /// The file, or standard input.
        place: String,
        /// Why.
        error: std::io::Error,
    },
    /// The text is too long.
    #[error("`{option}` has more than {limit}, which is the limit", limit = limits::INPUT_BYTES)]
    TooLarge {
        /// The option.
        option: &'static str,
    },
    /// The text is not JSON.
    #[error("`{option}` is not JSON: {error}")]
    NotJson {
        /// The option.
        option: &'static str,
        /// Where and why.
        error: serde_json::Error,
    },
    /// The text is JSON, but not an object.
    #[error("`{option}` is not a JSON object")]
    OtherValue {
        /// The option.
        option: &'static str,
    },
}

impl From<NotAnObject> for CallError {
    fn from(error: NotAnObject) -> Self {
        let (code, hint) = match error {
            NotAnObject::Unreadable { .. } => (ErrorCode::WrongUsage, "pass a readable file as @FILE"),
            NotAnObject::TooLarge { .. } => (
                ErrorCode::InvalidInput,
                "pass less; a tool can read a large file from where it is with an upload",
            ),
            NotAnObject::NotJson { .. } | NotAnObject::OtherValue { .. } => {
                (ErrorCode::InvalidInput, "write a JSON object such as '{\"name\": \"value\"}', @FILE, or -")
            }
        };
        Self::new(code, error.to_string()).with_evidence("hint", hint)
    }
}

/// Reads an object from the argument itself, from the file of `@FILE`, or from standard input for `-`.
pub(crate) fn object(option: &'static str, given: &str) -> Result<Map<String, Value>, NotAnObject> {
    let unreadable = |place: &str| {
        let place = place.to_owned();
        move |error| NotAnObject::Unreadable { place, error }
    };
    let read;
    let text = match (given, given.strip_prefix('@')) {
        ("-", _) => {
            read = bounded(io::stdin()).map_err(unreadable("standard input"))?;
            &read
        }
        (_, Some(file)) => {
            read = File::open(file).and_then(bounded).map_err(unreadable(file))?;
            &read
        }
        _ => given.as_bytes(),
    };
    if !limits::INPUT_BYTES.allows(text.len()) {
        return Err(NotAnObject::TooLarge { option });
    }
    match parse(text) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err(NotAnObject::OtherValue { option }),
        Err(error) => Err(NotAnObject::NotJson { option, error }),
    }
}

/// Reads at most one byte more than allowed.
fn bounded(source: impl Read) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    source.take(limits::INPUT_BYTES.0 as u64 + 1).read_to_end(&mut text)?;
    Ok(text)
}

/// Parses JSON without repeated keys and without more values than allowed.
fn parse(text: &[u8]) -> Result<Value, serde_json::Error> {
    let mut parser = serde_json::Deserializer::from_slice(text);
    let value = Strict { values: &Cell::new(0) }.deserialize(&mut parser)?;
    parser.end()?;
    Ok(value)
}

/// Reads a value, and the values in it.
#[derive(Clone, Copy)]
struct Strict<'c> {
    /// How many values were read.
    values: &'c Cell<usize>,
}

impl<'de> DeserializeSeed<'de> for Strict<'_> {
    type Value = Value;

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        self.values.set(self.values.get() + 1);
        if self.values.get() > limits::INPUT_VALUES {
            return Err(D::Error::custom(format_args!("more than {} values", limits::INPUT_VALUES)));
        }
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E: Error>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut read = Vec::new();
        while let Some(item) = items.next_element_seed(self)? {
            read.push(item);
        }
        Ok(Value::Array(read))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut read = Map::new();
        while let Some(key) = members.next_key::<String>()? {
            if read.contains_key(&key) {
                return Err(A::Error::custom(format_args!("the key `{key}` stands twice in this object")));
            }
            let member = members.next_value_seed(self)?;
            read.insert(key, member);
        }
        Ok(Value::Object(read))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn refused(text: &str) -> String {
        parse(text.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn json_is_read_as_it_stands() {
        let text = r#" {"a": [1, -2, 2.5, null, true, "é\n"], "b": {"a": {}}, "c": 18446744073709551615} "#;
        assert_eq!(parse(text.as_bytes()).unwrap(), serde_json::from_str::<Value>(text).unwrap());
        assert_eq!(parse(b"[]").unwrap(), json!([]));
    }

    #[test]
    fn a_repeated_key_is_refused_with_its_place() {
        assert_eq!(
            refused("{\"a\": {\"b\": 1,\n\"b\": 2}}"),
            "the key `b` stands twice in this object at line 2 column 3"
        );
    }

    #[test]
    fn what_is_no_json_or_too_many_values_is_refused() {
        assert_eq!(refused("{} x"), "trailing characters at line 1 column 4");
        assert!(refused(&format!("[{}1]", "1,".repeat(limits::INPUT_VALUES))).starts_with("more than "));
    }
}
