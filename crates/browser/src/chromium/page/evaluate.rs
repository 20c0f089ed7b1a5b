//! The page's own world: functions the page offers, and debugging.

use chromiumoxide_cdp::cdp::js_protocol::runtime::{
    CallArgument, CallFunctionOnParams, EvaluateParams, ExceptionDetails, RemoteObject,
};
use serde_json::Value;

use super::ChromiumPage;
use super::call::thrown;
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
        let global = self.answer(self.session.send(EvaluateParams::new(GLOBAL), deadline)).await?;
        let arguments = std::iter::once(Value::from(path)).chain(args.iter().cloned());
        let command = CallFunctionOnParams {
            object_id: global.result.object_id,
            arguments: Some(arguments.map(argument).collect()),
            return_by_value: Some(true),
            await_promise: Some(true),
            silent: Some(true),
            user_gesture: Some(true),
            ..CallFunctionOnParams::new(CALL_PAGE_FUNCTION)
        };
        let answer = self.answer(self.session.send(command, deadline)).await.map_err(replaced(path))?;
        match value_of(path, answer.result, answer.exception_details)? {
            Value::Object(mut answer) if answer.contains_key("missing") => {
                answer.clear();
                Err(Error::PageFunctionMissing { path: path.to_owned() })
            }
            Value::Object(mut answer) => Ok(answer.remove("value").unwrap_or(Value::Null)),
            other => Ok(other),
        }
    }

    pub(super) async fn evaluate_source(&self, source: &str, deadline: Deadline) -> Result<Value, Error> {
        self.refuse_if_blocked()?;
        let command = EvaluateParams {
            return_by_value: Some(true),
            await_promise: Some(true),
            user_gesture: Some(true),
            ..EvaluateParams::new(source)
        };
        let answer =
            self.answer(self.session.send(command, deadline)).await.map_err(replaced("the script"))?;
        value_of("the script", answer.result, answer.exception_details)
    }
}

fn argument(value: Value) -> CallArgument {
    CallArgument { value: Some(value), unserializable_value: None, object_id: None }
}

fn value_of(
    function: &str,
    result: RemoteObject,
    exception: Option<ExceptionDetails>,
) -> Result<Value, Error> {
    match exception {
        Some(exception) => Err(thrown(function, &exception)),
        None => Ok(result.value.unwrap_or(Value::Null)),
    }
}

/// The protocol has no code for this; Chromium's sentences are all there is.
fn replaced(function: &str) -> impl Fn(Error) -> Error + '_ {
    move |error| match &error {
        Error::Refused { message, .. }
            if ["context was destroyed", "navigated or closed", "Cannot find context"]
                .iter()
                .any(|one| message.contains(one)) =>
        {
            Error::DocumentReplaced { during: format!("{function} ran") }
        }
        _ => error,
    }
}
