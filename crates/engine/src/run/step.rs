use actions_manifest::model::OnError;
use actions_primitives::Failure;
use serde_json::{Map, Value, json};

use super::scope::{failed, succeeded};
use super::{Run, Scope};
use crate::event::{RunEvent, Settled, StepSummary};
use crate::plan::{Control, Step};

/// What became of a step.
pub(super) struct StepOutcome {
    /// As `steps.<id>` shows it.
    pub(super) result: Map<String, Value>,
    pub(super) ok: bool,
    pub(super) skipped: bool,
    pub(super) settle: Option<Settled>,
}

impl Run<'_> {
    /// Runs one step with all its conditions and loops, and records its result in the scope.
    pub(super) async fn step(
        &self,
        step: &Step,
        number: usize,
        of: usize,
        scope: &mut Scope,
    ) -> Result<StepSummary, Failure> {
        let start = self.now();
        self.progress.enter(step);
        self.tell(RunEvent::StepStarted {
            step_id: step.id.clone(),
            primitive: step.performs.primitive.name.clone(),
            number,
            of,
        });
        let outcome = self.controlled(step, scope).await;
        let (outcome, failure) = match outcome {
            Ok(outcome) => (outcome, None),
            Err(failure) => {
                let outcome =
                    StepOutcome { result: failed(&failure), ok: false, skipped: false, settle: None };
                (outcome, Some(failure))
            }
        };
        scope.set_step(step.id.as_str(), Value::Object(outcome.result));
        let summary = StepSummary {
            id: step.id.clone(),
            primitive: step.performs.primitive.name.clone(),
            ok: outcome.ok,
            skipped: outcome.skipped,
            duration_ms: self.millis_since(start),
            settle: outcome.settle,
        };
        self.tell(RunEvent::StepFinished {
            summary: summary.clone(),
            error: failure.as_ref().map(|failure| self.told(failure)),
        });
        match failure {
            Some(failure) if step.on_error == OnError::Stop || !Self::survivable(&failure) => Err(failure),
            Some(_) | None => {
                self.progress.leave();
                Ok(summary)
            }
        }
    }

    async fn controlled(&self, step: &Step, scope: &mut Scope) -> Result<StepOutcome, Failure> {
        if !self.wanted(step, scope)? {
            let result = json!({ "ok": true, "skipped": true });
            let result = result.as_object().cloned().unwrap_or_default();
            return Ok(StepOutcome { result, ok: true, skipped: true, settle: None });
        }
        match &step.control {
            Control::Once => {
                let output = self.once(step, &step.performs, scope, None).await?;
                let settle = self.settle(step, scope).await?;
                Ok(StepOutcome { result: succeeded(output), ok: true, skipped: false, settle })
            }
            Control::ForEach { collection, max_items } => {
                self.for_each(step, collection, *max_items, scope).await
            }
            Control::RetryUntil { condition, max_attempts, after_each } => {
                self.retry(step, condition, *max_attempts, after_each.as_ref(), scope).await
            }
        }
    }
}
