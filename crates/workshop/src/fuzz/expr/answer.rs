//! What an evaluation gave, in a form that can be compared.

use std::panic::{AssertUnwindSafe, catch_unwind};

use actions_expr::{Budget, Expression, Value};
use serde_json::{Value as Json, json};

/// What an evaluation gave.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// A value.
    Value(Json),
    /// Nothing.
    Undefined,
    /// An error, with its code if it has one.
    Error(Option<String>),
    /// The process that evaluates ended, or did not answer in time.
    Ended,
    /// The evaluation panicked.
    Panicked,
}

impl Answer {
    /// What our engine gives in this process.
    pub fn ours(source: &str, scope: &Json) -> Self {
        catch_unwind(AssertUnwindSafe(|| Self::evaluated(source, scope))).unwrap_or(Self::Panicked)
    }

    fn evaluated(source: &str, scope: &Json) -> Self {
        let compiled = match Expression::compile(source) {
            Ok(compiled) => compiled,
            Err(error) => {
                let code = error.jsonata_code().unwrap_or(error.code().as_str());
                return Self::Error(Some(code.to_owned()));
            }
        };
        match compiled.evaluate(scope, &Budget::default()) {
            Ok(Value::Undefined) => Self::Undefined,
            Ok(Value::Json(json)) => Self::Value(json),
            Err(error) => {
                let code = error.jsonata_code().unwrap_or(error.code().as_str());
                Self::Error(Some(code.to_owned()))
            }
        }
    }

    /// Reads an answer that [`Answer::to_json`] or the script around jsonata.js wrote.
    pub fn from_json(written: &Json) -> Self {
        match (written.get("result"), written.get("error")) {
            (Some(result), _) => Self::Value(result.clone()),
            (None, Some(code)) => Self::Error(code.as_str().map(str::to_owned)),
            (None, None) if written.get("panicked").is_some() => Self::Panicked,
            (None, None) if written.get("ended").is_some() => Self::Ended,
            (None, None) => Self::Undefined,
        }
    }

    /// Writes the answer; undefined is an empty object.
    pub fn to_json(&self) -> Json {
        match self {
            Self::Value(json) => json!({ "result": json }),
            Self::Undefined => json!({}),
            Self::Error(code) => json!({ "error": code }),
            Self::Ended => json!({ "ended": true }),
            Self::Panicked => json!({ "panicked": true }),
        }
    }
}

impl std::fmt::Display for Answer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Value(json) => write!(f, "{json}"),
            Self::Undefined => f.write_str("undefined"),
            Self::Error(Some(code)) => write!(f, "error {code}"),
            Self::Error(None) => f.write_str("error without a code"),
            Self::Ended => f.write_str("no answer: the process ended"),
            Self::Panicked => f.write_str("a panic"),
        }
    }
}
