use std::time::Duration;

use actions_expr::Expression;
use actions_primitives::{Failure, page_change};
use actions_protocol::ErrorCode;
use serde_json::{Value, json};

use super::scope::{failed, succeeded};
use super::step::StepOutcome;
use super::{Run, Scope};
use crate::event::RunEvent;
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
    ) -> Result<StepOutcome, Failure> {
        let mut attempts = Vec::new();
        let mut last_error = None;
        for attempt in 0..max_attempts {
            if attempt > 0 {
                self.between(step, after_each, scope).await?;
            }
            scope.set_attempt(attempt);
            let (result, ok) = match self.once(step, &step.performs, scope, Some(attempt)).await {
                Ok(output) => {
                    last_error = None;
                    (succeeded(output), true)
                }
                Err(failure) if !Self::survivable(&failure) => return Err(failure),
                Err(failure) => {
                    let result = failed(&failure);
                    last_error = Some(failure);
                    (result, false)
                }
            };
            scope.set_step(step.id.as_str(), Value::Object(result.clone()));
            let satisfied = self.holds(condition, scope)?;
            self.tell(RunEvent::RetryEvaluated { step_id: step.id.clone(), attempt, satisfied });
            attempts.push(Value::Object(result.clone()));
            if satisfied {
                scope.clear_item();
                let settle = if ok { self.settle(step, scope).await? } else { None };
                let mut result = result;
                result.insert("attempts".to_owned(), Value::Array(attempts));
                return Ok(StepOutcome { result, ok: true, skipped: false, settle });
            }
        }
        scope.clear_item();
        Err(exhausted(step, condition, max_attempts, attempts.last(), last_error))
    }

    /// What happens between two attempts: `after_each`, then a change of the page or a short pause.
    async fn between(
        &self,
        step: &Step,
        after_each: Option<&AfterEach>,
        scope: &mut Scope,
    ) -> Result<(), Failure> {
        let pause = Duration::from_millis(self.limits.retry_pause.0);
        if let Some(performs) = after_each {
            scope.clear_item();
            // It prepares the next attempt; whether that succeeds is for the condition to tell.
            match self.once(step, performs, scope, None).await {
                Err(failure) if !Self::survivable(&failure) => return Err(failure),
                Ok(_) | Err(_) => {}
            }
        }
        page_change(self.stage, pause, self.deadline).await
    }
}

fn exhausted(
    step: &Step,
    condition: &Expression,
    max_attempts: usize,
    last: Option<&Value>,
    error: Option<Failure>,
) -> Failure {
    let cause = error.map(
        |failure| json!({ "code": failure.code, "message": failure.message, "evidence": failure.evidence }),
    );
    let failure = Failure::new(
        ErrorCode::WorkflowRetryExhausted,
        format!("`{}` was tried {max_attempts} times and its condition never held", step.id),
    );
    failure
        .with_evidence("condition", condition.source())
        .with_evidence("attempts", max_attempts)
        .with_evidence("last", last.cloned().unwrap_or_default())
        .with_evidence("cause", cause.unwrap_or_default())
}
