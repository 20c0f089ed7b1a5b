//! The page's own world: functions the page offers, and debugging.

use serde_json::Value;

use super::ChromiumPage;
use super::refusal::replaced;
use super::runtime::{Argument, CallFunctionOn, Evaluate};
use crate::{Deadline, Error};

/// Calls a function at a dotted path of the page's global object.
const CALL_PAGE_FUNCTION: &str = include_str!("js/call_page_function.js");
/// The page's global object, by the one name every world has for it.
const GLOBAL: &str = "globalThis";

impl ChromiumPage {
    pub(super) async fn call_on_page(
        &self,
        path: &str,
        args: &[Value],
        deadline: Deadline,
    ) -> Result<Value, Error> {
        self.refuse_if_blocked()?;
        self.state().told.stir_at_once();
        let asked = Evaluate { expression: GLOBAL, silent: true, ..Evaluate::default() };
        let global = self
            .answer(self.session.send(asked, deadline))
            .await
            .map_err(replaced(&format!("{path} ran")))?;
        let global = global.object(path)?;
        let path_value = Value::from(path);
        let command = CallFunctionOn {
            function_declaration: CALL_PAGE_FUNCTION,
            object_id: global.as_deref(),
            arguments: std::iter::once(&path_value).chain(args).map(Argument::Value).collect(),
            return_by_value: true,
            await_promise: true,
            user_gesture: true,
            silent: true,
            ..CallFunctionOn::default()
        };
        let answer = self
            .answer(self.session.send(command, deadline))
            .await
            .map_err(replaced(&format!("{path} ran")))
            .map_err(untold(path))?;
        match answer.value(path)? {
            Value::Object(answer) if answer.contains_key("missing") => {
                Err(Error::PageFunctionMissing { path: path.to_owned() })
            }
            Value::Object(mut answer) => Ok(answer.remove("value").unwrap_or(Value::Null)),
            other => Ok(other),
        }
    }

    pub(super) async fn evaluate_source(&self, source: &str, deadline: Deadline) -> Result<Value, Error> {
        self.refuse_if_blocked()?;
        self.state().told.stir_at_once();
        let command = Evaluate {
            expression: source,
            return_by_value: true,
            await_promise: true,
            user_gesture: true,
            ..Evaluate::default()
        };
        let answer = self
            .answer(self.session.send(command, deadline))
            .await
            .map_err(replaced("the script ran"))
            .map_err(untold("the script"))?;
        answer.value("the script")
    }
}

/// What the page gave, and neither the browser nor we can put into JSON, is the page's own doing: a value that holds
/// itself, or one that is too deep.
fn untold(function: &str) -> impl Fn(Error) -> Error {
    move |error| {
        let why = match &error {
            Error::Refused { message, .. } if TOO_DEEP.iter().any(|says| message.contains(says)) => message,
            Error::AnswerUnreadable { detail, .. } => detail,
            _ => return error,
        };
        let message = format!("what it gave is no JSON, or too deep: {why}");
        Error::ScriptFailed { function: function.to_owned(), message }
    }
}

/// What the browser says of a value that holds itself or is too deep.
const TOO_DEEP: &[&str] = &["Object reference chain is too long", "Failed to convert response to JSON"];
