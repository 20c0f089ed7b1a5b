//! Builds the bridge item that `--item` prints.

use actions_engine::{CallError, StepSummary};
use actions_protocol::{ActionCallOutput, ActionError, CallId, Item, RuntimeId};
use serde_json::{Map, Value, json};

/// Returns the item for an outcome, with the summaries of its steps.
pub(crate) fn item(
    call_id: Option<CallId>,
    outcome: Result<Value, CallError>,
    steps: &[StepSummary],
) -> Item {
    let runtime = RuntimeId::parse("actions-cli").expect("a short plain text");
    let call_id = call_id.unwrap_or_else(|| CallId::parse("call-0").expect("a short plain text"));
    let mut extra = Map::new();
    if !steps.is_empty() {
        extra.insert("steps".to_owned(), json!(steps));
    }
    match outcome {
        Ok(value) => ActionCallOutput { extra, ..ActionCallOutput::new(call_id, runtime, value) }.into(),
        Err(error) => {
            let error = ActionError::new(error.to_error_object()).for_call(call_id).in_runtime(runtime);
            ActionError { extra, ..error }.into()
        }
    }
}
