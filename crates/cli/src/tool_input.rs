//! The arguments of a tool or summary, from wherever they are given.

use serde_json::{Map, Value};

use crate::json_argument;

/// The options that give arguments.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct ToolInput {
    /// The arguments as JSON, @FILE to read them from a file, or - from standard input
    #[arg(long, value_name = "JSON|@FILE|-")]
    pub(crate) input: Option<String>,
    /// One argument; the value is JSON if it reads as such, text otherwise
    #[arg(long = "arg", value_name = "NAME=VALUE")]
    pub(crate) arguments: Vec<String>,
}

/// Why the arguments could not be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum InputError {
    #[error(transparent)]
    Input(#[from] json_argument::NotAnObject),
    #[error("`--arg {0}` is not NAME=VALUE")]
    NotAPair(String),
}

impl ToolInput {
    /// The arguments, as one object.
    pub(crate) fn read(&self) -> Result<Value, InputError> {
        let mut input = match self.input.as_deref() {
            None => Map::new(),
            Some(given) => json_argument::object("--input", given)?,
        };
        for argument in &self.arguments {
            let Some((name, value)) = argument.split_once('=') else {
                return Err(InputError::NotAPair(argument.clone()));
            };
            let value = serde_json::from_str(value).unwrap_or_else(|_| Value::String(value.to_owned()));
            input.insert(name.to_owned(), value);
        }
        Ok(Value::Object(input))
    }
}
