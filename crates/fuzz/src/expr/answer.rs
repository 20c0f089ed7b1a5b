//! What an evaluation gave, in a form that can be compared.

use actions_expr::{Budget, Expression, Value};
use serde_json::Value as Json;

/// What an evaluation gave.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// A value.
    Value(Json),
    /// Nothing.
    Undefined,
    /// An error, with its code if it has one.
    Error(Option<String>),
}

impl Answer {
    /// What our engine gives.
    pub fn ours(source: &str, scope: &Json) -> Self {
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

    /// What jsonata.js gave, as the peer wrote it down.
    pub fn theirs(written: &Json) -> Self {
        match (written.get("result"), written.get("error")) {
            (Some(result), _) => Self::Value(result.clone()),
            (None, Some(code)) => Self::Error(code.as_str().map(str::to_owned)),
            (None, None) => Self::Undefined,
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
        }
    }
}
