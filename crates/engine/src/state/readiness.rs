//! When a page may be read through a projection, so that a placeholder is not read as content.

use actions_browser::Deadline;
use actions_expr::{Budget, Expression};
use actions_manifest::model::{Ready, WaitState};
use actions_primitives::{Locator, Stage, count};
use actions_protocol::{ErrorCode, Millis};
use serde_json::{Map, Value, json};

use super::projection::Projection;
use crate::failure::CallError;

/// When a page may be read through a projection.
#[derive(Debug)]
pub(super) struct Readiness {
    condition: Condition,
    /// How long a page may take to become ready.
    pub(super) timeout: Millis,
}

#[derive(Debug)]
enum Condition {
    /// An element is in a state.
    Element { locator: Locator, state: WaitState },
    /// An expression over what was extracted holds.
    Records(Expression),
}

impl Readiness {
    /// Plans what a map declares; `None` if it declares no condition.
    pub(super) fn plan(ready: &Ready) -> Option<Self> {
        let condition = match (&ready.locator, &ready.expression) {
            (Some(locator), _) => Condition::Element {
                locator: Locator::from(Value::Object(locator.clone())),
                state: ready.state.unwrap_or(WaitState::Visible),
            },
            (None, Some(expression)) => Condition::Records(expression.0.expression.clone()),
            (None, None) => return None,
        };
        let timeout = ready.timeout_ms.unwrap_or(Ready::DEFAULT_TIMEOUT);
        Some(Self { condition, timeout: Millis(timeout.0) })
    }

    /// Looks once for the element. Fails with `state_not_ready` if it is not in its state.
    pub(super) async fn look(
        &self,
        stage: &Stage,
        projection: &Projection,
        deadline: Deadline,
    ) -> Result<(), CallError> {
        let Condition::Element { locator, state } = &self.condition else { return Ok(()) };
        let (attached, rendered) = match count(stage, locator, deadline).await {
            Ok(found) => (found.attached, found.rendered),
            Err(failure) if matches!(failure.code, ErrorCode::TargetNotFound | ErrorCode::FrameNotFound) => {
                (0, 0)
            }
            Err(failure) => {
                return Err(CallError::from(failure).with_evidence("projection", projection.name.to_string()));
            }
        };
        let holds = match state {
            WaitState::Visible => rendered > 0,
            WaitState::Attached => attached > 0,
            WaitState::Hidden => rendered == 0,
            WaitState::Detached => attached == 0,
        };
        if holds {
            return Ok(());
        }
        let written = json!(locator);
        let message = format!(
            "the page is not ready for `{}`: the element {written} is not {}",
            projection.name,
            state.as_str()
        );
        Err(self
            .not_ready(projection, message, json!({ "locator": written, "state": state.as_str() }))
            .with_evidence("seen", json!({ "attached": attached, "rendered": rendered })))
    }

    /// Evaluates the condition over what was extracted. Fails with `state_not_ready` if it does not hold.
    pub(super) fn judge(
        &self,
        projection: &Projection,
        scope: &Value,
        budget: &Budget,
        selector_counts: &Map<String, Value>,
    ) -> Result<(), CallError> {
        let Condition::Records(expression) = &self.condition else { return Ok(()) };
        let source = expression.source();
        let held = expression.evaluate(scope, budget).map_err(|error| {
            let message = format!("the `ready` of `{}` could not be evaluated: {error}", projection.name);
            CallError::new(ErrorCode::StateProjectionFailed, message)
                .with_evidence("expression", source)
                .with_evidence("cause", error.code().as_str())
        })?;
        if held.is_truthy() {
            return Ok(());
        }
        let message = format!("the page is not ready for `{}`: `{source}` does not hold", projection.name);
        Err(self
            .not_ready(projection, message, json!({ "expression": source }))
            .with_evidence("selector_counts", Value::Object(selector_counts.clone())))
    }

    fn not_ready(&self, projection: &Projection, message: String, waited_for: Value) -> CallError {
        CallError::new(ErrorCode::StateNotReady, message)
            .with_evidence("projection", projection.name.to_string())
            .with_evidence("waited_for", waited_for)
            .with_evidence("timeout_ms", self.timeout.0)
    }
}
