//! Asks the policy about a call and about each of its operations.

use actions_browser::origin_of;
use actions_primitives::Failure;
use actions_protocol::ErrorCode;
use actions_trace::Masked;
use serde_json::Value;

use super::Run;
use crate::failure::CallError;
use crate::plan::{ConfirmNeed, Effect, Execution, SiteStanding};
use crate::policy::{Confirmation, Decision, Intent, Operation};

impl Run<'_> {
    /// Admits the call: the policy decides, the engine makes sure that it can perform everything, and only then is a
    /// person asked.
    pub(super) async fn admit_call(&self, input: &Masked<Value>) -> Result<(), CallError> {
        self.gate.can_confine()?;
        let page_function = match &self.plan.execution {
            Execution::PageFunction { path, .. } => Some(path),
            _ => None,
        };
        let primitives = self.plan.primitives();
        let requires = &self.plan.requires;
        let operation = Operation::Call { input, requires, primitives: &primitives, page_function };
        let intent = self.intent(operation, self.plan.effect);
        let decision = self.decide(&intent).await?;
        self.plan.can_perform()?;
        self.has_met_demands()?;
        self.obey(decision, &intent, input).await?;
        // A call that a person does not want does not count.
        Ok(self.within_limits()?)
    }

    /// Fails if the site says that the tool does not work, or if a tool that it depends on has not succeeded.
    fn has_met_demands(&self) -> Result<(), Failure> {
        let demands = &self.plan.demands;
        let name = &self.plan.name;
        match demands.standing {
            SiteStanding::Unavailable => {
                let message = format!("the site of `{name}` says that it is not operational");
                return Err(Failure::new(ErrorCode::SurfaceUnavailable, message));
            }
            SiteStanding::Degraded if !self.gate.consent.accepts_degraded => {
                let message = format!("the site says that `{name}` does not work well at present");
                return Err(Failure::new(ErrorCode::ActionDegraded, message));
            }
            SiteStanding::Degraded | SiteStanding::Available => {}
        }
        let missing = self.stage.memory().history.missing(demands.depends_on.iter().map(String::as_str));
        if missing.is_empty() {
            return Ok(());
        }
        let named = missing.iter().map(|tool| format!("`{tool}`")).collect::<Vec<_>>().join(", ");
        let message = format!("`{name}` depends on {named}, which has not succeeded in this session");
        Err(Failure::new(ErrorCode::DependencyUnmet, message).with_evidence("missing", missing))
    }

    /// Counts the call. Fails if one of its limits does not allow it.
    fn within_limits(&self) -> Result<(), Failure> {
        let limits = self.plan.demands.limits.iter();
        let limits = limits.map(|limit| (limit.counted.as_str(), limit.count, limit.per));
        self.stage.memory().history.count(limits, self.now()).map_err(|wait| {
            let wait = u64::try_from(wait.as_millis()).unwrap_or(u64::MAX);
            let message = format!("`{}` may be called again in {wait} ms", self.plan.name);
            Failure::new(ErrorCode::RateLimited, message).with_evidence("retry_after_ms", wait)
        })
    }

    /// Admits one operation of the call.
    pub(super) async fn admit(
        &self,
        operation: Operation<'_>,
        effect: Effect,
        arguments: &Masked<Value>,
    ) -> Result<(), Failure> {
        let intent = self.intent(operation, effect);
        let decision = self.decide(&intent).await?;
        self.obey(decision, &intent, arguments).await
    }

    fn intent<'i>(&'i self, operation: Operation<'i>, effect: Effect) -> Intent<'i> {
        let url = self.concerns(&operation);
        Intent {
            call_id: self.call_id,
            tool: &self.plan.name,
            description: &self.plan.description,
            standing: self.standing,
            origin: origin_of(&url),
            url,
            facts: &self.plan.facts,
            effect,
            demands: &self.plan.demands,
            operation,
            can_ask: self.gate.confirm.is_some(),
        }
    }

    /// The address that an operation is about: that of its request if it sends one without a page, else that of the page, or
    /// of the site of the map if the tool works on no page.
    fn concerns(&self, operation: &Operation<'_>) -> String {
        if let Operation::Primitive { primitive, arguments, .. } = operation
            && primitive.without_page
            && let Some(url) = arguments.get("url").and_then(Value::as_str)
        {
            return url.to_owned();
        }
        let site = self.plan.site.as_ref().filter(|_| !self.plan.needs_page());
        site.cloned().unwrap_or_else(|| self.stage.page().url())
    }

    /// Waits for the policy, but not beyond the deadline of the call. A denial is returned as a failure.
    async fn decide(&self, intent: &Intent<'_>) -> Result<Decision, Failure> {
        let clock = self.stage.clock();
        tokio::select! {
            biased;
            decision = self.gate.policy.decide(intent) => match decision {
                Decision::Deny(denial) => Err(denial.into()),
                decision => Ok(decision),
            },
            () = clock.sleep_until(self.deadline().at()) => {
                Err(Failure::new(ErrorCode::HandlerTimeout, "the decision of the policy"))
            }
        }
    }

    /// Does what the policy decided: asks a person if it wants that.
    async fn obey(
        &self,
        decision: Decision,
        intent: &Intent<'_>,
        arguments: &Masked<Value>,
    ) -> Result<(), Failure> {
        let demands = intent.demands;
        let consent = &self.gate.consent;
        let is_call = matches!(intent.operation, Operation::Call { .. });
        let demanded = is_call && !consent.covers(intent.tool.as_str(), demands.confirm);
        let (asks, reason) = match decision {
            Decision::Allow if !demanded => return Ok(()),
            Decision::Allow => (false, None),
            Decision::Deny(denial) => return Err(denial.into()),
            Decision::Ask { reason } => (true, reason),
        };
        let unnamed = || demanded && demands.reasons.is_empty() && reason.is_none();
        let reason =
            if unnamed() { Some("the map says that a person confirms it".to_owned()) } else { reason };
        let reasons = demands.reasons.iter().filter(|_| demanded).cloned().chain(reason).collect::<Vec<_>>();
        let reason = (!reasons.is_empty()).then(|| reasons.join("; "));
        let operation = match &intent.operation {
            Operation::Call { .. } => None,
            Operation::Primitive { primitive, .. } => Some(primitive.name.clone()),
            Operation::PageFunction { path, .. } => Some(path.to_string()),
        };
        let what = operation.clone().unwrap_or_else(|| intent.tool.to_string());
        let own = consent.ask.as_ref().filter(|_| demanded);
        let Some(confirm) = own.or(self.gate.confirm.as_ref()) else {
            if !asks {
                return Err(self.unconfirmed(intent, &what));
            }
            let message = format!("`{what}` must be confirmed by a person, and there is no one to ask");
            return Err(Failure::new(ErrorCode::PermissionDenied, message));
        };
        let confirmation = Confirmation {
            call_id: intent.call_id.clone(),
            tool: intent.tool.clone(),
            description: intent.description.to_owned(),
            effect: intent.effect,
            operation,
            input: arguments.clone(),
            reason,
        };
        match self.questions.ask(&*self.stage.clock(), confirm.confirm(confirmation)).await {
            true => Ok(()),
            false => {
                let code =
                    if demanded { ErrorCode::ConfirmationRejected } else { ErrorCode::PermissionDenied };
                Err(Failure::new(code, format!("`{what}` was not confirmed")))
            }
        }
    }

    /// The failure of a tool whose map demands a person's yes, when there is none and nobody to ask.
    fn unconfirmed(&self, intent: &Intent<'_>, what: &str) -> Failure {
        let demands = intent.demands;
        let (degree, hint) = match demands.confirm {
            ConfirmNeed::Mandatory => (
                "must",
                format!("show the call to a person; if they agree, repeat it with `--confirm {what}`"),
            ),
            ConfirmNeed::Recommended | ConfirmNeed::Never => (
                "should",
                format!(
                    "show the call to a person; if they agree, repeat it with `--confirm {what}` or `--yes`"
                ),
            ),
        };
        let message = format!("a person {degree} confirm `{what}` before it runs");
        Failure::new(ErrorCode::ConfirmationRequired, message)
            .with_evidence("confirm", serde_json::json!(demands.confirm))
            .with_evidence("because", demands.reasons.clone())
            .with_evidence("effect", demands.effect.clone())
            .with_evidence("hint", hint)
    }
}
