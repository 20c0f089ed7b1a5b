//! Computes the value of a workflow.

use actions_expr::Value as Evaluated;
use actions_protocol::ErrorCode;
use serde_json::{Value, json};

use super::{Run, Scope};
use crate::failure::CallError;
use crate::plan::Workflow;

impl Run<'_> {
    /// The value of a workflow: its `output`, or the results of its steps. Its steps have already run.
    pub(super) fn output(&self, workflow: &Workflow, scope: &Scope) -> Result<Value, CallError> {
        let value = match &workflow.output {
            Some(output) => {
                self.fill(output, scope).map(Evaluated::into_json_or_null).map_err(|failure| {
                    if failure.code.ends_call() {
                        return CallError::from(failure);
                    }
                    let message =
                        format!("the output of the workflow could not be computed: {}", failure.message);
                    let mut error = CallError::new(ErrorCode::WorkflowOutputFailed, message);
                    error.cause = Some(Box::new(failure));
                    error
                })?
            }
            None if workflow.draft => json!({ "ok": true, "steps": scope.steps() }),
            None => json!({ "steps": scope.steps() }),
        };
        let bytes = value.to_string().len();
        if !self.limits.output_bytes.allows(bytes) {
            let limit = self.limits.output_bytes.0;
            let message = format!("the output of the workflow has {bytes} bytes; {limit} are allowed");
            return Err(CallError::new(ErrorCode::WorkflowOutputTooLarge, message)
                .with_evidence("bytes", bytes)
                .with_evidence("limit", limit));
        }
        Ok(value)
    }
}
