//! The same calls in the words of Responses-style model interfaces, where arguments and outputs are JSON in a string.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{ActionCall, ActionCallOutput, ActionError, CallId, ErrorObject};

/// A model's request to call a function.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename = "function_call")]
pub struct FunctionCall {
    /// Joins the call to its output.
    pub call_id: CallId,
    /// The function.
    pub name: String,
    /// The arguments, as JSON text.
    pub arguments: String,
}

/// The answer to a model's function call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename = "function_call_output")]
pub struct FunctionCallOutput {
    /// The call this answers.
    pub call_id: CallId,
    /// The value, as JSON text.
    pub output: String,
}

/// Why a function call is not an action call.
#[derive(Debug, Error)]
#[error("the arguments of function call `{call_id}` are not a JSON object: {reason}")]
pub struct FunctionCallError {
    /// The call that cannot be made.
    pub call_id: CallId,
    reason: serde_json::Error,
}

impl TryFrom<FunctionCall> for ActionCall {
    type Error = FunctionCallError;

    /// Decodes the arguments. No text at all is what some models send for no arguments.
    fn try_from(call: FunctionCall) -> Result<Self, Self::Error> {
        let text = if call.arguments.trim().is_empty() { "{}" } else { call.arguments.as_str() };
        match serde_json::from_str(text) {
            Ok(arguments) => Ok(Self::new(call.call_id, call.name, arguments)),
            Err(reason) => Err(FunctionCallError { call_id: call.call_id, reason }),
        }
    }
}

impl From<ActionCallOutput> for FunctionCallOutput {
    fn from(output: ActionCallOutput) -> Self {
        Self { call_id: output.call_id, output: output.output.to_string() }
    }
}

impl FunctionCallOutput {
    /// The output that reports a failure to a model: `{"ok":false,"error":…}`.
    ///
    /// An error that is about no call answers none, so there is nothing to say then.
    pub fn from_error(error: &ActionError) -> Option<Self> {
        let call_id = error.call_id.clone()?;
        let failure = Failure { ok: false, error: &error.error };
        let output =
            serde_json::to_string(&failure).expect("an error object has only string keys and JSON values");
        Some(Self { call_id, output })
    }
}

#[derive(Serialize)]
struct Failure<'a> {
    ok: bool,
    error: &'a ErrorObject,
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::{ErrorCode, RuntimeId};

    fn call_id() -> CallId {
        CallId::parse("call-123").unwrap()
    }

    #[test]
    fn a_function_call_becomes_an_action_call_with_decoded_arguments() {
        let call: FunctionCall = serde_json::from_value(json!({
            "type": "function_call", "id": "fc_1", "call_id": "call-123", "status": "completed",
            "name": "search.submit", "arguments": "{\"query\":\"maps\"}",
        }))
        .unwrap();
        let call = ActionCall::try_from(call).unwrap();
        assert_eq!(call.call_id, call_id());
        assert_eq!(call.name, "search.submit");
        assert_eq!(Value::Object(call.arguments), json!({ "query": "maps" }));
    }

    #[test]
    fn empty_argument_text_means_no_arguments() {
        let call = FunctionCall { call_id: call_id(), name: "page.info".into(), arguments: " ".into() };
        assert!(ActionCall::try_from(call).unwrap().arguments.is_empty());
    }

    #[test]
    fn argument_text_that_is_no_object_is_refused_with_the_call() {
        let errors: Vec<String> = ["{", "[]", "null", "{} {}"]
            .into_iter()
            .map(|text| FunctionCall { call_id: call_id(), name: "page.info".into(), arguments: text.into() })
            .map(|call| ActionCall::try_from(call).unwrap_err().to_string())
            .collect();
        insta::assert_snapshot!(errors.join("\n"), @r#"
        the arguments of function call `call-123` are not a JSON object: EOF while parsing an object at line 1 column 1
        the arguments of function call `call-123` are not a JSON object: invalid type: sequence, expected a map at line 1 column 0
        the arguments of function call `call-123` are not a JSON object: invalid type: null, expected a map at line 1 column 4
        the arguments of function call `call-123` are not a JSON object: trailing characters at line 1 column 4
        "#);
    }

    #[test]
    fn an_output_becomes_text_only_at_this_border() {
        let output = json!({ "ok": true, "result": { "url": "https://example.com/search?q=maps" } });
        let output = ActionCallOutput::new(call_id(), RuntimeId::parse("runtime-abc").unwrap(), output);
        let output = serde_json::to_string(&FunctionCallOutput::from(output)).unwrap();
        insta::assert_snapshot!(output, @r#"{"type":"function_call_output","call_id":"call-123","output":"{\"ok\":true,\"result\":{\"url\":\"https://example.com/search?q=maps\"}}"}"#);
    }

    #[test]
    fn an_error_of_a_call_becomes_an_output_that_says_so() {
        let error = ActionError::new(ErrorObject::new(ErrorCode::Timeout, "nothing came within 8000 ms"));
        assert_eq!(FunctionCallOutput::from_error(&error), None);
        let output = FunctionCallOutput::from_error(&error.for_call(call_id())).unwrap();
        insta::assert_snapshot!(output.output, @r#"{"ok":false,"error":{"code":"timeout","message":"nothing came within 8000 ms","severity":"major","recoverable":true}}"#);
    }
}
