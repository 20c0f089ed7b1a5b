//! Runs one step: its `when`, its loop or retry, its result and its events.

use actions_manifest::model::OnError;
use actions_trace::{EventKind, Moment, Settled, StepSummary};
use serde_json::{Map, Value, json};
use tracing::Instrument;

use super::progress::Begun;
use super::scope::{failed, succeeded};
use super::step_failure::StepFailure;
use super::{Run, Scope};
use crate::plan::{Control, Step};

/// How a step ended.
pub(super) struct StepOutcome {
    /// As `steps.<id>` shows it.
    pub(super) result: Map<String, Value>,
    pub(super) skipped: bool,
    pub(super) settle: Option<Settled>,
}

impl StepOutcome {
    /// Whether the step succeeded, exactly as `steps.<id>.ok` says.
    fn ok(&self) -> bool {
        self.result.get("ok").is_some_and(|ok| *ok == Value::Bool(true))
    }
}

impl Run<'_> {
    /// Runs one step with all its conditions and loops, and records its result in the scope and among the summaries.
    pub(super) async fn step(
        &self,
        step: &Step,
        number: usize,
        of: usize,
        scope: &mut Scope,
        summaries: &mut Vec<StepSummary>,
    ) -> Result<(), StepFailure> {
        let start = self.now();
        self.emit(EventKind::StepStarted {
            step_id: step.id.clone(),
            primitive: step.performs.primitive.name.clone(),
            number,
            of,
        });
        self.progress.enter(Begun::Step { origin: self.origin(), step: step.as_failed(), start });
        let span = tracing::info_span!("step", id = %step.id, primitive = step.performs.primitive.name);
        let outcome = self.controlled(step, scope).instrument(span).await;
        self.progress.leave();
        // The next step must not see the item of a loop.
        scope.clear_item();
        let (outcome, failure) = match outcome {
            Ok(outcome) => (outcome, None),
            Err(failure) => {
                let result = failed(&failure.failure);
                (StepOutcome { result, skipped: false, settle: None }, Some(failure))
            }
        };
        let ok = outcome.ok();
        scope.set_step(step.id.as_str(), Value::Object(outcome.result));
        let summary = StepSummary {
            id: step.id.clone(),
            primitive: step.performs.primitive.name.clone(),
            ok,
            skipped: outcome.skipped,
            duration_ms: self.millis_since(start),
            settle: outcome.settle,
        };
        summaries.push(summary.clone());
        let error = failure.as_ref().map(|failure| self.masked_error(&failure.failure));
        self.emit(EventKind::StepFinished { summary, error });
        match failure {
            Some(failure) if step.on_error == OnError::Stop || !failure.is_survivable() => Err(failure),
            Some(_) | None => Ok(()),
        }
    }

    async fn controlled(&self, step: &Step, scope: &mut Scope) -> Result<StepOutcome, StepFailure> {
        self.checkpoint().await?;
        if !self.should_run(step, scope)? {
            let mut result = Map::new();
            result.insert("ok".to_owned(), json!(true));
            result.insert("skipped".to_owned(), json!(true));
            return Ok(StepOutcome { result, skipped: true, settle: None });
        }
        if let Some(target) = &step.applies {
            self.applies(self.plan, target).await.map_err(StepFailure::from)?;
        }
        if !step.is_mutating() {
            return self.repeated(step, scope).await;
        }
        let subject = Some(step.id.as_str());
        self.picture(subject, Moment::Before).await;
        let outcome = self.repeated(step, scope).await;
        self.picture_after(subject, outcome.as_ref().err().map(|ended| &ended.failure)).await;
        outcome
    }

    async fn repeated(&self, step: &Step, scope: &mut Scope) -> Result<StepOutcome, StepFailure> {
        match &step.control {
            Control::Once => {
                let output = self.once(step, &step.performs, scope, None).await?;
                let settle = self.settle(step, scope, None).await?;
                Ok(StepOutcome { result: succeeded(output), skipped: false, settle })
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
