//! Runs the steps of a workflow in order.

use actions_protocol::{ErrorCode, Topic};
use actions_trace::StepSummary;
use serde_json::Value;

use super::step_failure::StepFailure;
use super::{Run, Scope};
use crate::failure::CallError;
use crate::plan::{Step, Workflow};

impl Run<'_> {
    /// Runs the steps of a workflow in order and computes its value.
    pub(super) async fn workflow(
        &self,
        workflow: &Workflow,
        input: Value,
        summaries: &mut Vec<StepSummary>,
    ) -> Result<Value, CallError> {
        let mut scope = Scope::new(input);
        for (index, step) in workflow.steps.iter().enumerate() {
            let ended = self.step(step, index + 1, workflow.steps.len(), &mut scope, summaries).await;
            ended.map_err(|failure| framed(step, failure))?;
        }
        self.output(workflow, &scope)
    }
}

/// A failure of a step as the error of the call: its own code when that is one of the protocol, the workflow's
/// otherwise.
fn framed(step: &Step, StepFailure { failure, cause, .. }: StepFailure) -> CallError {
    let mut error = if failure.code.topic() == Topic::Expression {
        let message = format!("`{}` failed: {}", step.id, failure.message);
        CallError { cause: Some(Box::new(failure)), ..CallError::new(ErrorCode::WorkflowStepFailed, message) }
    } else {
        CallError { cause, ..CallError::from(failure) }
    };
    error.step = Some(Box::new(step.as_failed()));
    error
}
