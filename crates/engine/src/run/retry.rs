//! Runs a step until its `retry_until` condition holds.

use std::time::Duration;

use actions_expr::Expression;
use actions_primitives::{Failure, page_change};
use actions_protocol::ErrorCode;
use actions_trace::EventKind;
use serde_json::Value;

use super::scope::{failed, succeeded};
use super::step::StepOutcome;
use super::step_failure::{StepFailure, survivable};
use super::{Run, Scope};
use crate::plan::{AfterEach, Step};

impl Run<'_> {
    /// Performs a step until its condition holds. A failing attempt is an attempt like any other, and the condition
    /// sees its error.
    pub(super) async fn retry(
        &self,
        step: &Step,
        condition: &Expression,
        max_attempts: usize,
        after_each: Option<&AfterEach>,
        scope: &mut Scope,
    ) -> Result<StepOutcome, StepFailure> {
        let mut attempts = Vec::new();
        let mut last_error = None;
        for attempt in 0..max_attempts {
            if attempt > 0 {
                self.between(step, after_each, scope).await?;
            }
            scope.set_attempt(attempt);
            let (result, error) = match self.once(step, &step.performs, scope, Some(attempt)).await {
                Ok(output) => (succeeded(output), None),
                Err(failure) if !survivable(&failure) => return Err(failure.into()),
                Err(failure) => (failed(&failure), Some(failure)),
            };
            last_error = error;
            scope.set_step(step.id.as_str(), Value::Object(result.clone()));
            let satisfied = self.holds(condition, scope.value())?;
            self.emit(EventKind::RetryEvaluated { step_id: step.id.clone(), attempt, satisfied });
            attempts.push(Value::Object(result.clone()));
            if satisfied {
                scope.clear_item();
                let settle = self.settle(step, scope, None).await?;
                let mut result = result;
                result.insert("attempts".to_owned(), Value::Array(attempts));
                return Ok(StepOutcome { result, ok: true, skipped: false, settle });
            }
        }
        let failure = exhausted(step, condition, max_attempts, attempts.pop());
        Err(StepFailure { failure, cause: last_error.map(Box::new), is_final: true })
    }

    /// Runs `after_each`, then waits for a change of the page or a short pause.
    async fn between(
        &self,
        step: &Step,
        after_each: Option<&AfterEach>,
        scope: &mut Scope,
    ) -> Result<(), Failure> {
        let pause = Duration::from_millis(self.limits.retry_pause.0);
        if let Some(performs) = after_each {
            scope.clear_item();
            // A failure here is not final: the condition decides about the next attempt.
            match self.once(step, performs, scope, None).await {
                Err(failure) if !survivable(&failure) => return Err(failure),
                Ok(_) | Err(_) => {}
            }
        }
        page_change(self.stage, pause, self.deadline()).await
    }
}

fn exhausted(step: &Step, condition: &Expression, max_attempts: usize, last: Option<Value>) -> Failure {
    let times = if max_attempts == 1 { "once".to_owned() } else { format!("{max_attempts} times") };
    let message = format!("`{}` was tried {times} and its condition never held", step.id);
    Failure::new(ErrorCode::WorkflowRetryExhausted, message)
        .with_evidence("condition", condition.source())
        .with_evidence("attempts", max_attempts)
        .with_evidence("last", last.unwrap_or_default())
}
