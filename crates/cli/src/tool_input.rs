//! Reads the arguments of a tool or summary from `--input` and `--arg`.

use actions_engine::CallError;
use actions_protocol::ErrorCode;
use serde::{Deserialize, Serialize};
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

/// Arguments as they were typed: the schema that decides about the types may be in another process.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct TextInput {
    /// The object of `--input`.
    object: Map<String, Value>,
    /// The names and texts of `--arg`.
    texts: Vec<(String, String)>,
}

impl TextInput {
    /// Returns the arguments as one object; `typed` converts the text of an `--arg` to a value.
    pub(crate) fn typed(self, typed: impl Fn(&str, &str) -> Value) -> Value {
        let Self { mut object, texts } = self;
        for (name, text) in texts {
            let value = typed(&name, &text);
            object.insert(name, value);
        }
        Value::Object(object)
    }
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
        Ok(self.text()?.typed(typed))
    }

    /// The same arguments without a file or standard input to read.
    pub(crate) fn resolved(&self) -> Result<Self, InputError> {
        let object =
            self.input.as_deref().map(|given| json_argument::object("--input", given)).transpose()?;
        let input = object.map(|object| Value::Object(object).to_string());
        Ok(Self { input, arguments: self.arguments.clone() })
    }

    /// Returns the arguments as they were typed.
    pub(crate) fn text(&self) -> Result<TextInput, InputError> {
        let object = match self.input.as_deref() {
            None => Map::new(),
            Some(given) => json_argument::object("--input", given)?,
        };
        let pair = |(index, argument): (usize, &String)| match argument.split_once('=') {
            Some((name, text)) => Ok((name.to_owned(), text.to_owned())),
            None => Err(InputError::NotAPair { number: index + 1 }),
        };
        let texts = self.arguments.iter().enumerate().map(pair).collect::<Result<_, _>>()?;
        Ok(TextInput { object, texts })
    }
}
