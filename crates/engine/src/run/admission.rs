//! Asks the policy about a call and about each of its operations.

use actions_browser::origin_of;
use actions_primitives::Failure;
use actions_protocol::ErrorCode;
use actions_trace::Masked;
use serde_json::Value;

use super::Run;
use crate::failure::CallError;
use crate::plan::{Effect, Execution};
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
        Ok(self.obey(decision, &intent, input).await?)
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
        let url = self.stage.page().url();
        Intent {
            call_id: self.call_id,
            tool: &self.plan.name,
            description: &self.plan.description,
            standing: self.standing,
            origin: origin_of(&url),
            url,
            facts: &self.plan.facts,
            effect,
            operation,
            can_ask: self.gate.confirm.is_some(),
        }
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
        let reason = match decision {
            Decision::Allow => return Ok(()),
            Decision::Deny(denial) => return Err(denial.into()),
            Decision::Ask { reason } => reason,
        };
        let operation = match &intent.operation {
            Operation::Call { .. } => None,
            Operation::Primitive { primitive, .. } => Some(primitive.name.clone()),
            Operation::PageFunction { path, .. } => Some(path.to_string()),
        };
        let what = operation.clone().unwrap_or_else(|| intent.tool.to_string());
        let Some(confirm) = &self.gate.confirm else {
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
            false => Err(Failure::new(ErrorCode::PermissionDenied, format!("`{what}` was not confirmed"))),
        }
    }
}
