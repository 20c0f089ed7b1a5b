//! Runs a step until its `retry_until` condition holds.

use std::time::Duration;

use actions_expr::Expression;
use actions_primitives::{Failure, page_change};
use actions_protocol::ErrorCode;
use actions_trace::EventKind;
use serde_json::{Value, json};

use super::scope::{failed, succeeded};
use super::step::StepOutcome;
use super::step_failure::{StepFailure, survivable};
use super::{Run, Scope};
use crate::plan::{AfterEach, Step};

/// The failures of `after_each` in one step.
#[derive(Default)]
struct AfterEachFailures {
    times: usize,
    last: Option<Failure>,
}

impl Run<'_> {
    /// Performs a step until its condition holds, and reports how often `after_each` failed on the way.
    pub(super) async fn retry(
        &self,
        step: &Step,
        condition: &Expression,
        max_attempts: usize,
        after_each: Option<&AfterEach>,
        scope: &mut Scope,
    ) -> Result<StepOutcome, StepFailure> {
        let mut failures = AfterEachFailures::default();
        let outcome = self.attempts(step, condition, max_attempts, after_each, scope, &mut failures).await;
        if let Some((performs, last)) = after_each.zip(failures.last) {
            self.emit(EventKind::AfterEachFailed {
                step_id: step.id.clone(),
                primitive: performs.primitive.name.clone(),
                times: failures.times,
                error: self.masked_error(&last),
            });
        }
        outcome
    }

    /// Performs a step until its condition holds. A failing primitive is an attempt like any other, and the condition
    /// sees its error. An expression that cannot be evaluated is a defect of the map: it fails the step at once.
    async fn attempts(
        &self,
        step: &Step,
        condition: &Expression,
        max_attempts: usize,
        after_each: Option<&AfterEach>,
        scope: &mut Scope,
        failures: &mut AfterEachFailures,
    ) -> Result<StepOutcome, StepFailure> {
        let mut attempts = Vec::new();
        let mut last_error = None;
        for attempt in 0..max_attempts {
            if attempt > 0 {
                self.between(step, after_each, scope, failures).await?;
            }
            scope.set_attempt(attempt);
            let args = self.args_of(&step.performs, scope).await?;
            let performed =
                self.primitive(Some(&step.id), step.performs.primitive, args, Some(attempt)).await;
            let (result, error) = match performed {
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
                return Ok(StepOutcome { result, skipped: false, settle });
            }
        }
        let failure = exhausted(step, condition, max_attempts, attempts.pop(), failures);
        Err(StepFailure { failure, cause: last_error.map(Box::new), is_final: true })
    }

    /// Runs `after_each`, then waits for a change of the page or a short pause.
    async fn between(
        &self,
        step: &Step,
        after_each: Option<&AfterEach>,
        scope: &mut Scope,
        failures: &mut AfterEachFailures,
    ) -> Result<(), Failure> {
        let pause = Duration::from_millis(self.limits.retry_pause.0);
        if let Some(performs) = after_each {
            scope.clear_item();
            let args = self.args_of(performs, scope).await?;
            // A failure here is not final: the condition decides about the next attempt.
            match self.primitive(Some(&step.id), performs.primitive, args, None).await {
                Ok(_) => {}
                Err(failure) if !survivable(&failure) => return Err(failure),
                Err(failure) => {
                    failures.times += 1;
                    failures.last = Some(failure);
                }
            }
        }
        page_change(self.stage, pause, self.deadline()).await
    }
}

fn exhausted(
    step: &Step,
    condition: &Expression,
    max_attempts: usize,
    last: Option<Value>,
    after_each: &AfterEachFailures,
) -> Failure {
    let times = if max_attempts == 1 { "once".to_owned() } else { format!("{max_attempts} times") };
    let message = format!("`{}` was tried {times} and its condition never held", step.id);
    let failure = Failure::new(ErrorCode::WorkflowRetryExhausted, message)
        .with_evidence("condition", condition.source())
        .with_evidence("attempts", max_attempts)
        .with_evidence("last", last.unwrap_or_default());
    match &after_each.last {
        None => failure,
        Some(error) => failure.with_evidence(
            "after_each",
            json!({
                "failed": after_each.times,
                "error": { "code": error.code, "message": error.message, "evidence": error.evidence },
            }),
        ),
    }
}
