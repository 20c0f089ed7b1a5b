//! What must be true of a projection after a tool ran.

use std::sync::Arc;
use std::time::Duration;

use actions_primitives::page_change;
use actions_protocol::ErrorCode;
use actions_trace::EventKind;
use serde_json::{Value, json};

use super::Run;
use crate::failure::CallError;
use crate::plan::Postcondition;
use crate::state::diff::{Diff, bytes};
use crate::state::{Projection, Reader, Reading};

/// How large a difference may be as evidence.
const MAX_EVIDENCE_BYTES: usize = 16_000;

/// The state before a tool ran, to tell what it changed if it does not do what it promises.
pub(crate) struct Before {
    projection: Arc<Projection>,
    /// Absent when the projection did not apply yet.
    state: Option<Value>,
}

/// What was seen at one look.
struct Look {
    holds: bool,
    reading: Reading,
}

impl Run<'_> {
    pub(super) fn reader(&self) -> Reader<'_> {
        Reader { stage: self.stage, limits: self.limits, deadline: self.deadline() }
    }

    /// Reads the state before a tool runs; one round trip, and only for a tool with a postcondition.
    pub(crate) async fn before(&self, postcondition: &Postcondition) -> Result<Before, CallError> {
        let projection = self.plans.projection(&postcondition.projection)?;
        let state = match self.reader().read(&projection).await {
            Ok(reading) => Some(reading.into_state()),
            Err(error) if error.code.ends_call() => return Err(error),
            // The page the tool starts on need not be the one it ends on.
            Err(_) => None,
        };
        Ok(Before { projection, state })
    }

    /// Reads the projection again, whenever the page changes, until the condition holds or its time is over.
    pub(crate) async fn postcondition(
        &self,
        postcondition: &Postcondition,
        input: &Value,
        before: &Before,
    ) -> Result<(), CallError> {
        let start = self.now();
        let limit = postcondition.timeout.unwrap_or(self.limits.postcondition_timeout);
        let bound = start + Duration::from_millis(limit.0);
        let end = bound.min(self.deadline().at());
        let mut looks: usize = 0;
        let mut seen = None;
        let last = loop {
            looks += 1;
            match self.look(postcondition, input, before).await {
                Ok(Look { holds: true, .. }) => break None,
                Err(error) if error.code.ends_call() => return Err(error),
                // A look that the end of the call cut short has seen less than the one before.
                Err(error) if self.now() >= end => break Some(seen.ok_or(error)),
                look if self.now() >= end => break Some(look),
                look => seen = look.ok().or(seen),
            }
            let left = end.saturating_duration_since(self.now());
            let pause = Duration::from_millis(self.limits.retry_pause.0).min(left);
            page_change(self.stage, pause, self.deadline()).await?;
        };
        self.emit(EventKind::PostconditionChecked {
            projection: postcondition.projection.clone(),
            ok: last.is_none(),
            looks,
            waited_ms: self.millis_since(start),
        });
        let Some(last) = last else { return Ok(()) };
        let message = postcondition.failure_message.clone().unwrap_or_else(|| {
            format!(
                "the tool ran, but its postcondition over `{}` did not come true",
                postcondition.projection
            )
        });
        // Whether it would have come true is open if the call was over first.
        let code = match self.deadline().at() < bound {
            true => ErrorCode::HandlerTimeout,
            false => ErrorCode::StatePostconditionFailed,
        };
        let error = CallError::new(code, message)
            .with_evidence("projection", postcondition.projection.clone())
            .with_evidence("condition", postcondition.condition.source())
            .with_evidence("looks", looks)
            .with_evidence("url", self.stage.page().url());
        Err(match last {
            Ok(look) => with_state(error, before, &look.reading),
            Err(cause) => {
                let cause =
                    json!({ "code": cause.code, "message": cause.message, "evidence": cause.evidence });
                error.with_evidence("cause", cause)
            }
        })
    }

    async fn look(
        &self,
        postcondition: &Postcondition,
        input: &Value,
        before: &Before,
    ) -> Result<Look, CallError> {
        let mut reading = self.reader().read(&before.projection).await?;
        let holds = reading.with_input(input.clone(), |scope| self.holds(&postcondition.condition, scope))?;
        Ok(Look { holds, reading })
    }
}

/// Adds what the tool changed instead of what it promised.
fn with_state(error: CallError, before: &Before, reading: &Reading) -> CallError {
    let error = error.with_evidence("state_hash", reading.observation.state_hash.clone());
    let Some(was) = &before.state else {
        return error.with_evidence("state_diff", Value::Null);
    };
    let diff = Diff::between(was, reading.state());
    let size = bytes(&diff);
    match size <= MAX_EVIDENCE_BYTES {
        true => error.with_evidence("state_diff", json!(diff)),
        false => error.with_evidence("state_diff_bytes", size),
    }
}
