//! Runs a tool that a step of another tool calls.

use std::sync::Arc;
use std::time::Duration;

use actions_primitives::Failure;
use actions_protocol::{ErrorCode, Millis};
use actions_trace::EventKind;
use serde_json::Value;
use tracing::Instrument;

use super::Run;
use super::call::SLACK;
use super::progress::Begun;
use super::questions::Allowance;
use crate::failure::CallError;
use crate::plan::Plan;
use crate::secret;
use crate::site::SiteRequest;

/// A call within a call that is ready to run.
pub(super) struct Nested {
    plan: Arc<Plan>,
    input: Value,
    timeout: Option<Millis>,
}

impl Run<'_> {
    /// Plans the call of another tool of the same map from within a step: `actions.site` with mode `call`. Its secrets
    /// are known from here on.
    pub(super) fn plan_nested(&self, args: Value) -> Result<Nested, Failure> {
        let request = SiteRequest::from_arguments(args).map_err(flattened)?;
        let SiteRequest::Call { action, arguments, timeout } = request else {
            let message =
                format!("a step can use `actions.site` only with mode `call`, not `{}`", request.mode());
            return Err(Failure::new(ErrorCode::InvalidInput, message));
        };
        if self.depth >= self.limits.max_depth {
            let message = format!("calls are nested more than {} deep", self.limits.max_depth);
            return Err(
                Failure::new(ErrorCode::WorkflowLimitExceeded, message).with_evidence("action", action)
            );
        }
        let plan = self.plans.tool(&self.plan.sibling(&action)).map_err(flattened)?;
        secret::learn_input(self.secrets, plan.input.schema(), &arguments);
        let input = plan.input.accept(arguments).map_err(flattened)?;
        secret::learn_input(self.secrets, plan.input.schema(), &input);
        Ok(Nested { plan, input, timeout })
    }

    /// Performs the tool as a call of its own: the policy decides about it, and it has a deadline.
    pub(super) async fn nested(&self, Nested { plan, input, timeout }: Nested) -> Result<Value, Failure> {
        let clock = self.stage.clock();
        let start = clock.now();
        let call_id = self.progress.next_nested_id();
        let mut inner = Run {
            call_id: &call_id,
            depth: self.depth + 1,
            plan: &plan,
            standing: self.standing.and(plan.standing),
            interval: self.interval.max(Duration::from_millis(plan.rate_limit.0)),
            ..*self
        };
        let masked = self.secrets.mask(&input);
        inner.emit(EventKind::CallStarted {
            parent: Some(self.call_id.clone()),
            tool: plan.name.clone(),
            input: masked.clone(),
            url: self.secrets.mask(self.stage.page().url().as_str()),
        });
        self.progress.enter(Begun::Call { origin: inner.origin(), start });
        let result = match inner.admit_call(&masked).await {
            Err(error) => Err(error),
            Ok(()) => {
                let deadline = timeout.map_or(self.deadline(), |timeout| {
                    self.deadline().at_most(&*clock, Duration::from_millis(timeout.0))
                });
                inner.allowance = Allowance::until(deadline, self.questions);
                let span = tracing::info_span!("call", id = %call_id, tool = %plan.name);
                inner.perform(&plan, input, &mut Vec::new()).instrument(span).await
            }
        };
        let mutated = self.progress.mutated();
        let result = result.map_err(|error| CallError { mutated, ..error });
        self.progress.leave();
        inner.emit(EventKind::CallFinished {
            ok: result.is_ok(),
            value: result.as_ref().ok().map(|value| self.secrets.mask(value)),
            error: result.as_ref().err().map(|error| self.secrets.mask(error).convert()),
            duration_ms: self.millis_since(start),
        });
        result.map_err(flattened).map_err(|failure| match (failure.code, timeout) {
            // Only the deadline of the inner call has passed: the workflow around it may continue.
            (ErrorCode::Timeout | ErrorCode::HandlerTimeout, Some(timeout))
                if self.now() + SLACK >= inner.deadline().at()
                    && inner.deadline().at() < self.deadline().at() =>
            {
                let message = format!("`{}` did not finish within {} ms", plan.name, timeout.0);
                let ended = Failure { code: ErrorCode::Timeout, message, evidence: failure.evidence };
                ended.with_evidence("waiting", failure.message)
            }
            _ => failure,
        })
    }
}

/// The error of an inner call or reading as the failure of a step.
pub(super) fn flattened(error: CallError) -> Failure {
    let mut failure = Failure::new(error.code, error.message);
    failure.evidence = error.evidence;
    if let Some(step) = &error.step {
        failure = failure.with_evidence("inner_step", step.id.to_string());
    }
    if let Some(cause) = error.cause {
        failure = failure.with_evidence("inner_cause", cause.to_string());
    }
    failure
}
