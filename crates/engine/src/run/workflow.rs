use actions_primitives::Failure;
use actions_protocol::ErrorCode;
use serde_json::Value;

use super::{Run, Scope};
use crate::event::StepSummary;
use crate::failure::CallError;
use crate::plan::Workflow;

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
            match self.step(step, index + 1, workflow.steps.len(), &mut scope).await {
                Ok(summary) => summaries.push(summary),
                Err(failure) => return Err(self.framed(failure)),
            }
        }
        self.output(workflow, &scope)
    }

    /// A failure of the current step as the error of the call: its own code when that is one of the protocol, the
    /// workflow's otherwise.
    fn framed(&self, failure: Failure) -> CallError {
        let step = self.progress.current();
        if is_expression(failure.code) {
            let id = step.as_ref().map(|step| step.id.to_string()).unwrap_or_default();
            let mut error =
                CallError::new(ErrorCode::WorkflowStepFailed, format!("`{id}` failed: {}", failure.message));
            error.cause = Some(Box::new(failure));
            error.step = step;
            return error;
        }
        let mut error = CallError::from(failure);
        error.step = step;
        error
    }
}

/// Whether a code is about the expressions of a map rather than about the page.
fn is_expression(code: ErrorCode) -> bool {
    matches!(
        code,
        ErrorCode::InvalidExpression
            | ErrorCode::ExpressionEvaluationFailed
            | ErrorCode::ExpressionOutputTooLarge
            | ErrorCode::ExpressionBudgetExceeded
    )
}
