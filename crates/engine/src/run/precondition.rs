use std::time::Duration;

use actions_primitives::{Failure, Found, count, page_change};
use actions_protocol::ErrorCode;
use actions_trace::EventKind;
use serde_json::{Value, json};

use super::Run;
use crate::failure::CallError;
use crate::plan::{Plan, Probe, StatePlan, Target};

impl Run<'_> {
    /// Makes sure that everything a tool needs is there before its first step.
    pub(super) async fn preconditions(&self, plan: &Plan) -> Result<(), CallError> {
        let Some(target) = &plan.target else { return Ok(()) };
        self.applies(plan, target).await.map_err(|error| error.at(&target.place))
    }

    /// Makes sure that a target means this page, and its element if it means one, before anything is done.
    pub(super) async fn applies(&self, plan: &Plan, target: &Target) -> Result<(), CallError> {
        let url = self.stage.page().url();
        if let Some(predicate) = target.address.iter().find(|predicate| !predicate.holds(&url)) {
            let message =
                format!("`{}` applies to pages whose address must {predicate}; this is {url}", plan.name);
            return Err(CallError::new(ErrorCode::StateMismatch, message).with_evidence("url", url.clone()));
        }
        self.in_state(plan, target).await?;
        self.target_is_there(plan, target).await
    }

    async fn in_state(&self, plan: &Plan, target: &Target) -> Result<(), CallError> {
        let Some(wanted) = &target.state else { return Ok(()) };
        let state = plan.states.iter().find(|state| state.name == *wanted);
        if state.is_some_and(|state| state.probes.is_empty()) {
            return Ok(());
        }
        let patience = Duration::from_millis(self.limits.precondition_timeout.0);
        let end = (self.now() + patience).min(self.deadline().at());
        // A state that nobody declares is never current.
        while let Some(state) = state {
            match self.is_current(plan, state).await {
                Ok(true) => return Ok(()),
                Err(failure) if failure.code != ErrorCode::Timeout || !self.is_over() => {
                    return Err(failure.into());
                }
                Ok(false) | Err(_) => {}
            }
            let left = end.saturating_duration_since(self.now());
            if left.is_zero() {
                break;
            }
            page_change(self.stage, left, self.deadline()).await?;
        }
        let message = format!("`{}` needs the state `{wanted}`", plan.name);
        if self.is_over() {
            let error = CallError::new(ErrorCode::HandlerTimeout, message);
            return Err(error.with_evidence("required", wanted.clone()));
        }
        let mut current = Vec::new();
        for state in plan.states.iter().filter(|state| !state.probes.is_empty()) {
            if self.is_current(plan, state).await? {
                current.push(state.name.clone());
            }
        }
        Err(CallError::new(ErrorCode::StateMismatch, message)
            .with_evidence("required", wanted.clone())
            .with_evidence("current", current))
    }

    /// Whether every probe of a state holds, and of the states it builds on.
    async fn is_current(&self, plan: &Plan, state: &StatePlan) -> Result<bool, Failure> {
        let mut wanted = vec![state];
        let mut next = 0;
        // A state that is already wanted is not looked at again: states may name each other.
        while let Some(state) = wanted.get(next).copied() {
            next += 1;
            for probe in &state.probes {
                if !self.probe(probe).await? {
                    return Ok(false);
                }
                let Some(named) = &probe.state else { continue };
                // A state that nobody declares is never current.
                let Some(further) = plan.states.iter().find(|state| state.name == *named) else {
                    return Ok(false);
                };
                if !wanted.iter().any(|known| known.name == further.name) {
                    wanted.push(further);
                }
            }
        }
        Ok(true)
    }

    async fn probe(&self, probe: &Probe) -> Result<bool, Failure> {
        let url = self.stage.page().url();
        if !probe.address.iter().all(|predicate| predicate.holds(&url)) {
            return Ok(false);
        }
        let Some(locator) = &probe.locator else { return Ok(true) };
        let found = count(self.stage, locator, self.deadline()).await?;
        let matches = if probe.visible == Some(true) { found.rendered } else { found.attached };
        // Whoever only says how many there may be at most is content with none.
        let needed = probe.max_count.is_none() || probe.exists == Some(true) || probe.visible == Some(true);
        let least = probe.min_count.unwrap_or(u64::from(needed));
        Ok(match (probe.exists, probe.visible) {
            (Some(false), _) => found.attached == 0,
            (_, Some(false)) => found.rendered == 0,
            _ => matches >= least && probe.max_count.is_none_or(|most| matches <= most),
        })
    }

    async fn target_is_there(&self, plan: &Plan, target: &Target) -> Result<(), CallError> {
        let Some(locator) = &target.locator else { return Ok(()) };
        let patience = Duration::from_millis(self.limits.precondition_timeout.0);
        let end = (self.now() + patience).min(self.deadline().at());
        loop {
            match count(self.stage, locator, self.deadline()).await {
                Ok(found) if found.attached > 0 => {
                    let evidence = self.secrets.mask(&resolved(&found));
                    self.emit(EventKind::TargetResolved { evidence });
                    return Ok(());
                }
                Err(failure) if failure.code != ErrorCode::Timeout || !self.is_over() => {
                    return Err(failure.into());
                }
                Ok(_) | Err(_) => {}
            }
            let left = end.saturating_duration_since(self.now());
            if left.is_zero() {
                break;
            }
            page_change(self.stage, left, self.deadline()).await?;
        }
        let message = format!("nothing on the page matches the target of `{}`", plan.name);
        // Whether it would have come is open if the call was over first.
        let code = if self.is_over() { ErrorCode::HandlerTimeout } else { ErrorCode::TargetNotFound };
        Err(CallError::new(code, message)
            .with_evidence("target", locator.clone())
            .with_evidence("url", Value::String(self.stage.page().url())))
    }
}

/// What is told of a target: by what it was found, and that the map drifts if it was not the preferred way.
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
