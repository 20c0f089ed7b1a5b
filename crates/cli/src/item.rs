//! What a command answers as an item of the bridge protocol.

use actions_engine::CallError;
use actions_protocol::{ActionCallOutput, ActionError, CallId, Item, RuntimeId};
use serde_json::Value;

/// The one item `--item` promises, whatever happened.
pub(crate) fn item(call_id: Option<CallId>, outcome: Result<Value, CallError>) -> Item {
    let runtime = RuntimeId::parse("actions-cli").expect("a short plain text");
    let call_id = call_id.unwrap_or_else(|| CallId::parse("call-0").expect("a short plain text"));
    match outcome {
        Ok(value) => ActionCallOutput::new(call_id, runtime, value).into(),
        Err(error) => ActionError::new(error.to_error_object()).for_call(call_id).in_runtime(runtime).into(),
    }
}
