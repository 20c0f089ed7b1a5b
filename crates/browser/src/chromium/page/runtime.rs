//! `Runtime.callFunctionOn` and `Runtime.evaluate` with only the fields we use. They are the most frequent commands, and
//! their responses can hold any value of a page.

use chromiumoxide_types::{Command, Method, MethodId};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Error;
use crate::cut::cut;

/// `Runtime.callFunctionOn`: calls a function declaration on an object or in a world.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CallFunctionOn<'a> {
    pub(super) function_declaration: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) object_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) execution_context_id: Option<i64>,
    pub(super) arguments: Vec<Argument<'a>>,
    pub(super) return_by_value: bool,
    pub(super) await_promise: bool,
    pub(super) user_gesture: bool,
    pub(super) silent: bool,
}

/// An argument: a value, or an object of the same world.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Argument<'a> {
    Value(&'a Value),
    ObjectId(&'a str),
}

/// `Runtime.evaluate`: evaluates source text, by default in the page's own world.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Evaluate<'a> {
    pub(super) expression: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) context_id: Option<i64>,
    pub(super) return_by_value: bool,
    pub(super) await_promise: bool,
    pub(super) user_gesture: bool,
    pub(super) silent: bool,
}

/// The result: a value or an object, or an exception.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Outcome {
    result: Given,
    exception_details: Option<Thrown>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Given {
    value: Option<Value>,
    object_id: Option<String>,
    description: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Thrown {
    #[serde(default)]
    text: String,
    exception: Option<Given>,
}

impl Outcome {
    /// The value; `undefined` becomes null.
    pub(super) fn value(self, function: &str) -> Result<Value, Error> {
        Ok(self.given(function)?.value.unwrap_or(Value::Null))
    }

    /// The id of the object; `None` for a plain value.
    pub(super) fn object(self, function: &str) -> Result<Option<String>, Error> {
        Ok(self.given(function)?.object_id)
    }

    fn given(self, function: &str) -> Result<Given, Error> {
        match self.exception_details {
            None => Ok(self.result),
            Some(thrown) => {
                let exception = thrown.exception.as_ref();
                let message = exception
                    .and_then(|exception| exception.description.clone())
                    .or_else(|| {
                        exception.and_then(|exception| exception.value.as_ref().map(Value::to_string))
                    })
                    .unwrap_or(thrown.text);
                Err(Error::ScriptFailed { function: function.to_owned(), message: cut(message) })
            }
        }
    }
}

impl Method for CallFunctionOn<'_> {
    fn identifier(&self) -> MethodId {
        MethodId::Borrowed("Runtime.callFunctionOn")
    }
}

impl Command for CallFunctionOn<'_> {
    type Response = Outcome;
}

impl Method for Evaluate<'_> {
    fn identifier(&self) -> MethodId {
        MethodId::Borrowed("Runtime.evaluate")
    }
}

impl Command for Evaluate<'_> {
    type Response = Outcome;
}
