use std::sync::Arc;
use std::time::Duration;

use actions_browser::Deadline;
use actions_manifest::CheckedManifest;
use actions_manifest::model::OnDialog;
use actions_primitives::{Failure, Stage, perform};
use actions_protocol::{CallId, ErrorCode, Millis};
use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;

use super::pace::Pacer;
use super::{Progress, Run};
use crate::event::{Observer, RunEvent, StepSummary};
use crate::failure::CallError;
use crate::limits::Limits;
use crate::plan::{Execution, Plan, faults};
use crate::policy::Gate;
use crate::secret::Secrets;

/// Everything a call is made of.
pub(crate) struct Request<'r> {
    pub(crate) manifest: &'r Arc<CheckedManifest>,
    pub(crate) plan: &'r Plan,
    pub(crate) stage: &'r Stage,
    pub(crate) limits: &'r Limits,
    pub(crate) gate: &'r Gate,
    pub(crate) observer: &'r dyn Observer,
    pub(crate) call_id: CallId,
    pub(crate) arguments: Value,
    pub(crate) timeout: Option<Millis>,
    pub(crate) cancel: &'r CancellationToken,
}

/// What came of a call.
#[derive(Debug)]
pub struct Outcome {
    /// The call.
    pub call_id: CallId,
    /// The value of the tool, or why there is none.
    pub result: Result<Value, CallError>,
    /// What became of the steps that ran.
    pub steps: Vec<StepSummary>,
    /// How long it took.
    pub duration: Duration,
}

/// How long after its deadline a call is cut off if it has not ended by itself: an orderly end tells more.
const GRACE: Duration = Duration::from_millis(150);

/// Performs a tool from its arguments to its checked result.
pub(crate) async fn call(request: Request<'_>) -> Outcome {
    let clock = request.stage.clock();
    let start = clock.now();
    let progress = Progress::default();
    let mut steps = Vec::new();
    let limit = Duration::from_millis(request.limits.call_timeout.cap(request.timeout).0);
    let limit = request.timeout.map_or(limit, |wish| Duration::from_millis(wish.0));
    let deadline = Deadline::after(&*clock, limit);
    let call_id = request.call_id.clone();
    let input = request.plan.input.accept(request.arguments.clone());
    let secrets = match &input {
        Ok(input) => Secrets::of(&request.plan.input.schema, input),
        Err(_) => Secrets::of(&request.plan.input.schema, &request.arguments),
    };
    let pacer = Pacer::new(Duration::from_millis(request.limits.pace.0));
    let run = Run {
        manifest: request.manifest,
        stage: request.stage,
        limits: request.limits,
        gate: request.gate,
        observer: request.observer,
        secrets,
        deadline,
        budget: request.limits.budget(),
        progress: &progress,
        pacer: &pacer,
        depth: 0,
        trusted: request.plan.trusted,
    };
    let told = input.as_ref().map_or(&request.arguments, |input| input);
    run.tell(RunEvent::CallStarted {
        call_id: call_id.clone(),
        tool: request.plan.name.to_string(),
        input: run.secrets.mask(told),
        url: request.stage.page().url(),
    });
    let result = match input {
        Err(error) => Err(error),
        Ok(input) => {
            let work = run.whole(request.plan, input, &mut steps);
            tokio::select! {
                biased;
                result = work => result,
                () = request.cancel.cancelled() => Err(CallError::new(ErrorCode::Cancelled, "the call was cancelled")),
                () = clock.sleep_until(deadline.at() + GRACE) => Err(CallError::new(ErrorCode::HandlerTimeout, "cut off")),
            }
        }
    };
    let result = result.map_err(|error| run.final_error(request.plan, error, limit));
    let duration = clock.now().saturating_duration_since(start);
    run.tell(RunEvent::CallFinished {
        ok: result.is_ok(),
        value: result.as_ref().ok().map(|value| run.secrets.mask(value)),
        error: result.as_ref().err().map(CallError::to_error_object),
        duration_ms: u64::try_from(duration.as_millis()).unwrap_or(u64::MAX),
    });
    Outcome { call_id, result, steps, duration }
}

impl Run<'_> {
    /// Everything between valid arguments and a proven result.
    async fn whole(
        &self,
        plan: &Plan,
        input: Value,
        steps: &mut Vec<StepSummary>,
    ) -> Result<Value, CallError> {
        self.gate.confirm(plan, &self.secrets.mask(&input)).await?;
        if !matches!(plan.execution, Execution::Static(_)) {
            self.gate.confine(self.stage)?;
        }
        self.preconditions(plan).await?;
        let value = perform_plan(self, plan, input.clone(), steps).await?;
        self.progress.leave();
        if let Some(postcondition) = &plan.postcondition {
            self.postcondition(postcondition, &input).await?;
        }
        Ok(value)
    }

    /// The error as the caller gets it: what was already changed, where, and without secrets.
    fn final_error(&self, plan: &Plan, mut error: CallError, limit: Duration) -> CallError {
        let over = self.now() >= self.deadline.at();
        if error.code == ErrorCode::Timeout && over || error.code == ErrorCode::HandlerTimeout {
            let seen = error.message.clone();
            let step = error.step.clone().or_else(|| self.progress.current());
            let whole = format!("`{}` did not finish within {limit:?}", plan.name);
            let message = match &step {
                Some(step) => format!("{whole}; it was at `{}` ({})", step.id, step.primitive),
                None => whole,
            };
            let mut timeout = CallError::new(ErrorCode::HandlerTimeout, message);
            timeout.evidence = error.evidence;
            timeout.step = step;
            if seen != "cut off" {
                timeout.evidence.insert("waiting".to_owned(), Value::String(seen));
            }
            timeout.evidence.insert("elapsed_ms".to_owned(), json!(limit.as_millis() as u64));
            error = timeout;
        }
        error.step = error.step.or_else(|| self.progress.current());
        error.mutated = self.progress.mutated();
        error.message = self.secrets.mask_text(&error.message);
        error.evidence = masked(self, error.evidence);
        error.cause = error.cause.map(|cause| {
            Box::new(Failure {
                message: self.secrets.mask_text(&cause.message),
                evidence: masked(self, cause.evidence),
                ..*cause
            })
        });
        error
    }
}

fn masked(run: &Run<'_>, evidence: Map<String, Value>) -> Map<String, Value> {
    match run.secrets.mask(&Value::Object(evidence)) {
        Value::Object(evidence) => evidence,
        _ => Map::new(),
    }
}

/// Performs what a plan says, and checks the result against its schema.
pub(super) async fn perform_plan(
    run: &Run<'_>,
    plan: &Plan,
    input: Value,
    steps: &mut Vec<StepSummary>,
) -> Result<Value, CallError> {
    let _dialogs = plan
        .on_dialog
        .filter(|policy| *policy != OnDialog::Report)
        .map(|policy| run.stage.answer_dialogs(policy == OnDialog::Accept));
    let value = match &plan.execution {
        Execution::Static(value) => value.clone(),
        Execution::Workflow(workflow) => run.workflow(workflow, input, steps).await?,
        Execution::Primitive { primitive, bound, .. } => {
            run.gate.admit(primitive, run.trusted)?;
            if primitive.mutating {
                run.progress.mutate();
            }
            let value = perform(run.stage, primitive, merged(bound, input), run.deadline).await?;
            run.gate.confine(run.stage)?;
            value
        }
        Execution::PageFunction { path, bound } => {
            run.gate.allows_handlers(path)?;
            run.progress.mutate();
            let args = [merged(bound, input)];
            run.stage.call_page_function(path.as_str(), &args, run.deadline).await?
        }
    };
    let faults = plan.result.as_ref().map(|validator| faults(validator, &value)).unwrap_or_default();
    let Some(first) = faults.first() else { return Ok(value) };
    let message = format!(
        "the result of `{}` does not fit its schema{}: {}",
        plan.name,
        at(&first.path),
        first.message
    );
    Err(CallError::new(ErrorCode::InvalidResult, message)
        .with_evidence("errors", json!(faults))
        .with_evidence("result", value))
}

fn at(path: &str) -> String {
    if path.is_empty() { String::new() } else { format!(" at {path}") }
}

/// The caller's arguments over the fixed ones, objects within objects too; lists are replaced.
fn merged(bound: &Map<String, Value>, input: Value) -> Value {
    fn over(under: Value, top: Value) -> Value {
        match (under, top) {
            (Value::Object(mut under), Value::Object(top)) => {
                for (key, value) in top {
                    let below = under.remove(&key);
                    let value = below.map_or_else(|| value.clone(), |below| over(below, value.clone()));
                    under.insert(key, value);
                }
                Value::Object(under)
            }
            (_, top) => top,
        }
    }
    over(Value::Object(bound.clone()), input)
}
