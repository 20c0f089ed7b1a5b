//! Checks what a tool needs of the page before its first step.

use std::time::Duration;

use actions_primitives::Found;
use actions_protocol::ErrorCode;
use actions_trace::EventKind;
use serde_json::{Value, json};

use super::Run;
use crate::failure::CallError;
use crate::plan::{Plan, Target, TransitionPlan};
use crate::probe::{Prober, Wait};

impl Run<'_> {
    /// Makes sure that everything a tool needs is there before its first step, and returns the transitions that it
    /// makes from here.
    pub(super) async fn preconditions<'p>(
        &self,
        plan: &'p Plan,
        input: &Value,
    ) -> Result<Vec<&'p TransitionPlan>, CallError> {
        if let Some(target) = &plan.target {
            self.applies(plan, target).await.map_err(|error| error.at(&target.place))?;
        }
        // Boxed, because most tools have no transitions and every call carries the future.
        Box::pin(self.departs(plan, input)).await
    }

    /// Makes sure that a target means this page, and its element if it means one, before anything is done.
    pub(super) async fn applies(&self, plan: &Plan, target: &Target) -> Result<(), CallError> {
        let url = self.stage.page().url();
        if let Some(predicate) = target.address.iter().find(|predicate| !predicate.holds(&url)) {
            let message =
                format!("`{}` applies to pages whose address must {predicate}; this is {url}", plan.name);
            return Err(CallError::new(ErrorCode::StateMismatch, message).with_evidence("url", url.clone()));
        }
        Box::pin(self.in_state(plan, target)).await?;
        self.target_is_there(plan, target).await
    }

    async fn in_state(&self, plan: &Plan, target: &Target) -> Result<(), CallError> {
        let Some(state) = &target.state else { return Ok(()) };
        let prober = self.prober();
        let code = match prober.wait_for_state(state, self.patience()).await? {
            Wait::Met(()) => return Ok(()),
            Wait::Unmet => ErrorCode::StateMismatch,
            Wait::CutShort => ErrorCode::HandlerTimeout,
        };
        let message = format!("`{}` needs the state `{state}`", plan.name);
        let error = CallError::new(code, message).with_evidence("required", state.clone());
        if code == ErrorCode::HandlerTimeout {
            return Err(error);
        }
        Err(error.with_evidence("current", prober.all_states().await?.current))
    }

    async fn target_is_there(&self, plan: &Plan, target: &Target) -> Result<(), CallError> {
        let Some(locator) = &target.locator else { return Ok(()) };
        let code = match self.prober().wait_for_element(locator, self.patience()).await? {
            Wait::Met(found) => {
                let evidence = self.secrets.mask(&resolved(&found));
                self.emit(EventKind::TargetResolved { evidence });
                return Ok(());
            }
            Wait::Unmet => ErrorCode::TargetNotFound,
            Wait::CutShort => ErrorCode::HandlerTimeout,
        };
        let message = format!("nothing on the page matches the target of `{}`", plan.name);
        Err(CallError::new(code, message)
            .with_evidence("target", json!(locator))
            .with_evidence("url", Value::String(self.stage.page().url())))
    }

    pub(super) fn prober(&self) -> Prober<'_> {
        Prober { stage: self.stage, states: self.plans.states(), deadline: self.deadline() }
    }

    /// How long a tool waits for what it needs.
    pub(super) fn patience(&self) -> Duration {
        Duration::from_millis(self.limits.precondition_timeout.0)
    }
}

/// What an event says of a target: by what it was found, and that the map drifts if it was not the preferred way.
fn resolved(found: &Found) -> Value {
    let mut evidence = json!({
        "candidate_count": found.attached,
        "matched_by": found.matched_by,
        "matched_selector": found.matched_selector,
        "identity": found.identity,
    });
    if found.matched_by.starts_with("fallback") {
        evidence["drift"] = json!("minor");
    }
    evidence
}
