use std::time::Duration;

use actions_primitives::page_change;
use actions_protocol::ErrorCode;
use serde_json::{Value, json};

use super::Run;
use crate::event::RunEvent;
use crate::failure::CallError;
use crate::plan::Postcondition;
use crate::projection;

impl Run<'_> {
    /// Reads a projection again until the condition holds or its time is over.
    pub(super) async fn postcondition(
        &self,
        postcondition: &Postcondition,
        input: &Value,
    ) -> Result<(), CallError> {
        let start = self.now();
        let limit = postcondition.timeout.unwrap_or(self.limits.postcondition_timeout);
        let end = (start + Duration::from_millis(limit.0)).min(self.deadline.at());
        let mut looks = 0;
        let last = loop {
            looks += 1;
            match self.look(postcondition, input).await {
                Ok(Looked { holds: true, .. }) => break None,
                Err(error) if super::ends_everything(error.code) => return Err(error),
                seen if self.now() >= end => break Some(seen),
                _ => {}
            }
            let left = end.saturating_duration_since(self.now());
            let pause = Duration::from_millis(self.limits.retry_pause.0).min(left);
            page_change(self.stage, pause, self.deadline).await?;
        };
        self.tell(RunEvent::PostconditionChecked {
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
        let error = CallError::new(ErrorCode::StatePostconditionFailed, message)
            .with_evidence("projection", postcondition.projection.clone())
            .with_evidence("condition", postcondition.condition.source())
            .with_evidence("looks", looks);
        Err(match last {
            Ok(looked) => error.with_evidence("state_bytes", looked.bytes),
            Err(cause) => {
                error.with_evidence("cause", json!({ "code": cause.code, "message": cause.message }))
            }
        })
    }

    async fn look(&self, postcondition: &Postcondition, input: &Value) -> Result<Looked, CallError> {
        let state = projection::read(self, &postcondition.projection).await?;
        let bytes = state.to_string().len();
        let scope = json!({ "state": state, "input": input });
        let value = postcondition
            .condition
            .evaluate(&scope, &self.budget)
            .map_err(|error| CallError::new(error.code(), error.to_string()))?;
        Ok(Looked { holds: value.is_truthy(), bytes })
    }
}

struct Looked {
    holds: bool,
    bytes: usize,
}
