//! Runs a tool: its preconditions, its steps or handler, its result check and its postcondition.

use actions_browser::DialogPolicy;
use actions_manifest::model::OnDialog;
use actions_protocol::ErrorCode;
use actions_trace::{EventKind, Moment, StepSummary};
use serde_json::{Map, Value};

use super::Run;
use crate::failure::CallError;
use crate::plan::{Effect, Execution, Plan, TransitionPlan};
use crate::policy::Operation;

impl Run<'_> {
    /// Performs a tool, and looks where it has brought the page.
    pub(super) async fn perform(
        &self,
        plan: &Plan,
        input: Value,
        steps: &mut Vec<StepSummary>,
    ) -> Result<Value, CallError> {
        let mut departed = Vec::new();
        let result = self.perform_tool(plan, input, steps, &mut departed).await;
        if result.is_ok() {
            self.stage.memory().history.succeeded(plan.name.as_str());
        }
        Box::pin(self.arrived(plan, &departed, result)).await
    }

    /// Performs a tool: what it requires of the page, its steps, its result, its postcondition.
    async fn perform_tool<'p>(
        &self,
        plan: &'p Plan,
        input: Value,
        steps: &mut Vec<StepSummary>,
        departed: &mut Vec<&'p TransitionPlan>,
    ) -> Result<Value, CallError> {
        let _dialogs = self.dialog_policy(plan).map(|policy| self.stage.answer_dialogs(policy));
        if !matches!(plan.execution, Execution::Static(_)) {
            self.start_watching()?;
        }
        *departed = self.preconditions(plan, &input).await?;
        let promise = match &plan.postcondition {
            Some(postcondition) => Some((postcondition, self.before(postcondition).await?)),
            None => None,
        };
        let value = self.execute(plan, input.clone(), steps).await.map_err(|error| error.at(&plan.place))?;
        self.fits(plan, &value)?;
        if let Some((postcondition, before)) = &promise {
            self.postcondition(postcondition, &input, before).await.map_err(|error| error.at(&plan.place))?;
        }
        if !matches!(plan.execution, Execution::Static(_)) {
            // The last step may have started a navigation that ends only now.
            self.finish_watching().await?;
        }
        Ok(value)
    }

    /// Checks a result against its schema. If the map says so, a result that does not fit is an event and no error.
    fn fits(&self, plan: &Plan, value: &Value) -> Result<(), CallError> {
        match fits(plan, value) {
            Err(error) if plan.tolerates_misfit => {
                let error = self.secrets.mask(&error).convert();
                self.emit(EventKind::ResultMisfit { error });
                Ok(())
            }
            fitting => fitting,
        }
    }

    async fn execute(
        &self,
        plan: &Plan,
        input: Value,
        steps: &mut Vec<StepSummary>,
    ) -> Result<Value, CallError> {
        match &plan.execution {
            Execution::Static(value) => Ok(value.clone()),
            Execution::Workflow(workflow) => self.workflow(workflow, input, steps).await,
            Execution::Primitive { primitive, bound } => {
                let args = merged(bound, input);
                let changes = primitive.may_change(|argument| args.get(argument).cloned());
                let pictured = (changes && !primitive.without_page).then_some(HANDLER);
                self.picture(pictured, Moment::Before).await;
                let performed = self.primitive(None, primitive, args, None).await;
                self.picture_after(pictured, performed.as_ref().err()).await;
                Ok(performed?)
            }
            Execution::PageFunction { path, bound } => {
                let args = merged(bound, input);
                let masked = self.secrets.mask(&args);
                let operation = Operation::PageFunction { path, arguments: &masked };
                self.admit(operation, Effect::Mutating, &masked).await?;
                // A visitor may see what a function of the page does.
                self.pace().await?;
                self.loss.refuse(self.stage.page())?;
                self.picture(Some(HANDLER), Moment::Before).await;
                let changing = self.about_to_change();
                let called = self.stage.call_page_function(path.as_str(), &[args], self.deadline()).await;
                changing.ended(self, called.as_ref().err());
                self.picture_after(Some(HANDLER), called.as_ref().err()).await;
                self.watch()?;
                Ok(called?)
            }
        }
    }

    /// How dialogs are answered while a tool runs. A nested tool without a policy keeps the one of its caller.
    fn dialog_policy(&self, plan: &Plan) -> Option<DialogPolicy> {
        match plan.on_dialog {
            Some(OnDialog::Accept) => Some(DialogPolicy::Accept),
            Some(OnDialog::Dismiss) => Some(DialogPolicy::Dismiss),
            Some(OnDialog::Report) => Some(DialogPolicy::Report),
            None => (self.depth == 0).then_some(DialogPolicy::Stay),
        }
    }
}

/// Checks a result against its schema.
pub(super) fn fits(plan: &Plan, value: &Value) -> Result<(), CallError> {
    let Some(Err(misfit)) = plan.result.as_ref().map(|schema| schema.check(value)) else { return Ok(()) };
    let faults = misfit.into_faults();
    let message = format!("the result of `{}` does not fit its schema{}", plan.name, faults.sentence());
    let error = CallError::new(ErrorCode::InvalidResult, message).at(&plan.place);
    Err(faults.evidence(error).with_evidence("result", value.clone()))
}

/// The name of pictures of a tool without steps.
const HANDLER: &str = "handler";

/// The caller's arguments over the fixed ones, objects within objects too; lists are replaced.
fn merged(bound: &Map<String, Value>, input: Value) -> Value {
    fn over(under: Value, top: Value) -> Value {
        match (under, top) {
            (Value::Object(mut under), Value::Object(top)) => {
                for (key, value) in top {
                    let value = match under.remove(&key) {
                        Some(below) => over(below, value),
                        None => value,
                    };
                    under.insert(key, value);
                }
                Value::Object(under)
            }
            (_, top) => top,
        }
    }
    over(Value::Object(bound.clone()), input)
}
