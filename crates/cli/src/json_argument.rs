//! Reads a JSON object from a command line argument, a file or standard input.

use std::io::Read;

use actions_engine::CallError;
use actions_protocol::ErrorCode;
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
    let text = match (given, given.strip_prefix('@')) {
        ("-", _) => {
            let mut text = String::new();
            std::io::stdin().read_to_string(&mut text).map_err(unreadable("standard input"))?;
            text
        }
        (_, Some(file)) => std::fs::read_to_string(file).map_err(unreadable(file))?,
        _ => given.to_owned(),
    };
    match serde_json::from_str(&text) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err(NotAnObject::OtherValue { option }),
        Err(error) => Err(NotAnObject::NotJson { option, error }),
    }
}
