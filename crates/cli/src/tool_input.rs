//! Reads the arguments of a tool or summary from `--input` and `--arg`.

use actions_engine::CallError;
use actions_protocol::ErrorCode;
use serde_json::{Map, Value};

use crate::json_argument;

/// Options that pass arguments.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct ToolInput {
    /// Arguments as JSON, @FILE to read them from a file, or - to read standard input
    #[arg(long, value_name = "JSON|@FILE|-")]
    pub(crate) input: Option<String>,
    /// One argument; the input schema decides whether the value is text, a number or something else
    #[arg(long = "arg", value_name = "NAME=VALUE")]
    pub(crate) arguments: Vec<String>,
}

/// Why the arguments could not be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum InputError {
    #[error(transparent)]
    Input(#[from] json_argument::NotAnObject),
    // The message does not repeat the argument: it may be a secret.
    #[error("`--arg` number {number} is not NAME=VALUE")]
    NotAPair { number: usize },
}

impl From<InputError> for CallError {
    fn from(error: InputError) -> Self {
        match error {
            InputError::Input(error) => error.into(),
            InputError::NotAPair { .. } => Self::new(ErrorCode::InvalidInput, error.to_string())
                .with_evidence("hint", "write `--arg NAME=VALUE`, once per argument"),
        }
    }
}

impl ToolInput {
    /// Returns the arguments as one object; `typed` converts the text of an `--arg` to a value.
    pub(crate) fn read(&self, typed: impl Fn(&str, &str) -> Value) -> Result<Value, InputError> {
        let mut input = match self.input.as_deref() {
            None => Map::new(),
            Some(given) => json_argument::object("--input", given)?,
        };
        for (index, argument) in self.arguments.iter().enumerate() {
            let Some((name, value)) = argument.split_once('=') else {
                return Err(InputError::NotAPair { number: index + 1 });
            };
            input.insert(name.to_owned(), typed(name, value));
        }
        Ok(Value::Object(input))
    }
}
