//! Runs one call from its arguments to its outcome, and ends it at its deadline.

use std::time::Duration;

use actions_browser::Deadline;
use actions_primitives::Stage;
use actions_protocol::{CallId, ErrorCode, Millis};
use actions_trace::{EventKind, Masked, Secrets, StepSummary, TraceRecorder};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use tracing::Instrument;

use super::Run;
use super::about::about;
use super::arrival::Arrival;
use super::call_id::next_call_id;
use super::loss::{Loss, as_lost_call};
use super::opened::Opened;
use super::progress::Progress;
use super::questions::{Allowance, Questions};
use crate::failure::CallError;
use crate::limits::Limits;
use crate::observer::Observer;
use crate::plan::Plan;
use crate::plans::Plans;
use crate::policy::Gate;
use crate::secret;

/// Everything a call needs.
pub(crate) struct Request<'r> {
    pub(crate) plans: &'r Plans,
    pub(crate) plan: &'r Plan,
    pub(crate) stage: &'r Stage,
    pub(crate) limits: &'r Limits,
    /// When the call ends at the latest, whatever its timeout.
    pub(crate) end: Option<Deadline>,
    pub(crate) gate: &'r Gate,
    pub(crate) observer: &'r dyn Observer,
    pub(crate) trace: Option<&'r TraceRecorder>,
    pub(crate) call_id: CallId,
    /// The validated input, or why the arguments were rejected.
    pub(crate) input: Result<Value, Rejected>,
    pub(crate) timeout: Option<Millis>,
    /// How much of the timeout the call has spent waiting for the call before it.
    pub(crate) queued: Duration,
    pub(crate) cancel: &'r CancellationToken,
}

/// Arguments that do not fit the input schema of a tool.
pub(crate) struct Rejected {
    pub(crate) error: CallError,
    pub(crate) arguments: Value,
}

/// The result of a call.
#[derive(Debug)]
#[non_exhaustive]
pub struct Outcome {
    /// The call.
    pub call_id: CallId,
    /// The value of the tool, or why there is none. The value is as the tool made it: it belongs to the caller, and
    /// secrets are not taken out of it. They are taken out of the error.
    pub result: Result<Value, CallError>,
    /// How each step ended that ran, including the one that failed.
    pub steps: Vec<StepSummary>,
    /// Whether the page came to a state that the transitions of the tool lead to; absent if they lead to none, or if the
    /// call failed.
    pub arrival: Option<Arrival>,
    /// How long it took.
    pub duration: Duration,
    /// The secrets of its input, and the values derived from them. Mask them in everything you show.
    pub secrets: Secrets,
}

impl Outcome {
    /// The outcome of a call that was refused before it reached a session, under the id of its caller or a new one.
    pub fn refused(call_id: Option<CallId>, error: CallError) -> Self {
        Self::never_began(call_id.unwrap_or_else(next_call_id), error)
    }

    /// The outcome of a call that failed before it began.
    pub(crate) fn never_began(call_id: CallId, error: CallError) -> Self {
        Self::of(call_id, Err(error))
    }

    /// An outcome without steps.
    pub(crate) fn of(call_id: CallId, result: Result<Value, CallError>) -> Self {
        Self {
            call_id,
            result,
            steps: Vec::new(),
            arrival: None,
            duration: Duration::ZERO,
            secrets: Secrets::default(),
        }
    }
}

/// How long after its deadline, or after the loss of its page, a call is cut off. A call that ends by itself
/// reports more.
const GRACE: Duration = Duration::from_millis(150);

/// A wait that ends this shortly before the deadline counts as ended by it: the clock of the page differs from ours.
pub(super) const SLACK: Duration = Duration::from_millis(25);

/// Performs a tool from its arguments to its checked result.
pub(crate) async fn call(request: Request<'_>) -> Outcome {
    let span = tracing::info_span!("call", id = %request.call_id, tool = %request.plan.name);
    perform(request).instrument(span).await
}

async fn perform(request: Request<'_>) -> Outcome {
    let clock = request.stage.clock();
    let start = clock.now();
    let plan = request.plan;
    let call_id = request.call_id.clone();
    let given = request.input.as_ref().unwrap_or_else(|rejected| &rejected.arguments);
    let secrets = secret::of_input(plan.input.schema(), given);
    let progress = Progress::of(call_id.clone());
    let questions = Questions::default();
    let limit = Duration::from_millis(request.timeout.unwrap_or(request.limits.call_timeout).0);
    let end = request.end;
    let deadline_after = |limit: Duration| {
        let deadline = Deadline::after(&*clock, limit);
        end.map_or(deadline, |end| deadline.or_earlier(end))
    };
    let limit_of_all = end.filter(|end| *end == deadline_after(limit)).map_or(limit, Deadline::limit);
    let limits = match plan.needs_page() {
        true => request.limits.clone(),
        false => request.limits.of_requests(),
    };
    let mut run = Run {
        call_id: &call_id,
        plans: request.plans,
        stage: request.stage,
        limits: &limits,
        gate: request.gate,
        observer: request.observer,
        trace: request.trace,
        secrets: &secrets,
        allowance: Allowance::until(deadline_after(limit), &questions),
        questions: &questions,
        budget: limits.budget(),
        progress: &progress,
        loss: &Loss::of(request.stage.page()),
        opened: &Opened::before(request.stage),
        interval: Duration::from_millis(plan.rate_limit.0),
        depth: 0,
        plan,
        standing: plan.standing,
    };
    if let Some(trace) = request.trace {
        trace.begin(&about(&request.plans.manifest, plan, &call_id), &plan.to_json());
    }
    run.emit(EventKind::CallStarted {
        parent: None,
        tool: plan.name.clone(),
        input: secrets.mask(given),
        url: secrets.mask(request.stage.page().url().as_str()),
    });
    let mut steps = Vec::new();
    let result = match run.admitted(plan, request.input, request.cancel).await {
        Err(error) => Err(Ended::ByItself(error)),
        Ok(input) => {
            // Navigations before the call do not belong to it.
            request.stage.mark_navigation();
            // The time a person takes to confirm does not count against the call.
            let left = limit.saturating_sub(request.queued);
            run.allowance = Allowance::until(deadline_after(left), &questions);
            run.guarded(plan, input, &mut steps, request.cancel).await
        }
    };
    let result = result.map_err(|error| run.final_error(plan, error, limit_of_all));
    if let Err(error) = &result {
        run.close(error, &mut steps);
    }
    let result = result.map_err(|error| secrets.mask(&error));
    let duration = clock.now().saturating_duration_since(start);
    if let Err(error) = &result {
        run.picture_of_the_end(error).await;
    }
    // A call that failed or was cut off may not have emitted the last reports.
    run.emit_reports();
    run.emit_opened();
    run.emit(EventKind::CallFinished {
        ok: result.is_ok(),
        value: result.as_ref().ok().map(|value| secrets.mask(value)),
        error: result.as_ref().err().map(Masked::convert),
        duration_ms: u64::try_from(duration.as_millis()).unwrap_or(u64::MAX),
    });
    let result = result.map_err(Masked::into_inner);
    Outcome { call_id, result, steps, arrival: progress.take_arrival(), duration, secrets }
}

impl Run<'_> {
    /// Fails if the arguments were rejected, and admits the call.
    async fn admitted(
        &self,
        plan: &Plan,
        input: Result<Value, Rejected>,
        cancel: &CancellationToken,
    ) -> Result<Value, CallError> {
        let input = input.map_err(|rejected| rejected.error)?;
        let masked = self.secrets.mask(&input);
        tokio::select! {
            biased;
            () = cancel.cancelled() => Err(cancelled()),
            admitted = self.admit_call(&masked) => match admitted {
                Ok(()) => Ok(input),
                Err(error) => Err(error.at(&plan.place)),
            },
        }
    }

    /// Runs a tool until it ends, its deadline passes, its page is lost, or the caller cancels it.
    async fn guarded(
        &self,
        plan: &Plan,
        input: Value,
        steps: &mut Vec<StepSummary>,
        cancel: &CancellationToken,
    ) -> Result<Value, Ended> {
        let clock = self.stage.clock();
        let page = self.stage.page();
        let lost = async {
            self.loss.notice(page).await;
            clock.sleep_until(clock.now() + GRACE).await;
        };
        tokio::select! {
            biased;
            () = lost => {
                Err(Ended::ByItself(self.loss.refuse(page).err().map_or_else(cancelled, CallError::from)))
            }
            result = self.perform(plan, input, steps) => match self.now() < self.deadline().at() + GRACE {
                true => result.map_err(Ended::ByItself),
                // It never waited, so it could not be cut off at its deadline.
                false => result.map_err(Ended::ByItself).and(Err(Ended::CutOff)),
            },
            () = cancel.cancelled() => Err(Ended::ByItself(cancelled())),
            () = self.allowance.over(&*clock, GRACE) => Err(Ended::CutOff),
        }
    }

    /// The error as the caller gets it: with where the call was and whether it had changed anything.
    fn final_error(&self, plan: &Plan, ended: Ended, limit: Duration) -> CallError {
        let over = self.now() + SLACK >= self.deadline().at();
        let error = match ended {
            Ended::CutOff => self.timed_out(plan, None, limit),
            Ended::ByItself(error)
                if error.code == ErrorCode::HandlerTimeout || error.code == ErrorCode::Timeout && over =>
            {
                self.timed_out(plan, Some(error), limit)
            }
            Ended::ByItself(error) => error,
        };
        let mut error = as_lost_call(error);
        error.step = error.step.or_else(|| self.progress.current().map(Box::new));
        if let Some(inner) = self.progress.innermost() {
            error.evidence.insert("inner_step".to_owned(), json!(inner.id));
        }
        error.mutated = self.progress.mutated();
        error
    }

    /// The error of a call whose deadline passed: where it was, what it waited for, what it saw last.
    fn timed_out(&self, plan: &Plan, error: Option<CallError>, limit: Duration) -> CallError {
        let (step, waiting, evidence) =
            error.map(|error| (error.step, Some(error.message), error.evidence)).unwrap_or_default();
        let step = step.or_else(|| self.progress.current().map(Box::new));
        let at = step.as_ref().map(|step| format!("; it was at `{}` ({})", step.id, step.primitive));
        let message = format!("`{}` did not finish within {limit:?}{}", plan.name, at.unwrap_or_default());
        let mut timeout = CallError::new(ErrorCode::HandlerTimeout, message).at(&plan.place);
        timeout.evidence = evidence;
        timeout.step = step;
        if let Some(waiting) = waiting {
            timeout.evidence.insert("waiting".to_owned(), Value::String(waiting));
        }
        timeout.with_evidence("timeout_ms", Millis::from(limit).0)
    }
}

/// How a call that failed ended.
enum Ended {
    /// It reported an error.
    ByItself(CallError),
    /// It did not end in time and was cut off.
    CutOff,
}

/// The error of a call that its caller cancelled.
pub(crate) fn cancelled() -> CallError {
    CallError::new(ErrorCode::Cancelled, "the call was cancelled")
}
