//! A traversal: repeats the tool of a transition until its `convergence` ends it.

use std::time::Duration;

use actions_primitives::Failure;
use actions_protocol::{CallId, ErrorCode, Millis};
use actions_trace::{EventKind, Masked, RunEvent, Secrets, TraceRecorder};
use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;

use super::Session;
use super::call::Prepared;
use super::setters::{Options, setters};
use crate::failure::CallError;
use crate::observer::Observer;
use crate::plan::{CompleteWhen, Effect, Plan, TransitionPlan};
use crate::probe::Prober;
use crate::run::{Outcome, attempt_id, cancelled, next_call_id};
use crate::secret;

/// A traversal that has not begun yet.
///
/// ```no_run
/// # async fn example(session: actions_engine::Session) {
/// let outcome = session.traverse("load_more").run().await;
/// match outcome.result {
///     Ok(true) => println!("{} attempts", outcome.attempts),
///     Ok(false) => println!("not complete after {} attempts", outcome.attempts),
///     Err(error) => println!("attempt {} failed: {error}", outcome.attempts),
/// }
/// # }
/// ```
#[must_use = "a traversal does nothing until it is run"]
pub struct Traversal<'s> {
    session: &'s Session,
    transition: String,
    arguments: Value,
    options: Options<'s>,
}

/// What a traversal has done.
#[derive(Debug)]
#[non_exhaustive]
pub struct TraversalOutcome {
    /// The traversal. Each attempt is a call whose id adds its number.
    pub call_id: CallId,
    /// Whether `complete_when` came true within `max_attempts`, or why the traversal ended early.
    pub result: Result<bool, CallError>,
    /// How many attempts have begun.
    pub attempts: usize,
    /// What the attempts returned that succeeded, in order. They are kept when a later attempt fails.
    pub values: Vec<Value>,
    /// How long it took.
    pub duration: Duration,
    /// The secrets of its input, and the values derived from them. Mask them in everything you show.
    pub secrets: Secrets,
}

impl TraversalOutcome {
    /// The traversal as one JSON value: whether it converged, how many attempts it took, and what they returned.
    pub fn to_json(&self) -> Value {
        json!({
            "converged": self.result.as_ref().is_ok_and(|converged| *converged),
            "attempts": self.attempts,
            "values": self.values,
        })
    }
}

impl From<TraversalOutcome> for Outcome {
    /// The traversal as one call that returns [`TraversalOutcome::to_json`].
    fn from(outcome: TraversalOutcome) -> Self {
        let value = outcome.to_json();
        let result = outcome.result.map(|_| value);
        Outcome {
            duration: outcome.duration,
            secrets: outcome.secrets,
            ..Outcome::of(outcome.call_id, result)
        }
    }
}

impl Session {
    /// Repeats the tool of a transition until the transition's `convergence` ends it, to be completed and run.
    pub fn traverse(&self, transition: impl Into<String>) -> Traversal<'_> {
        Traversal {
            session: self,
            transition: transition.into(),
            arguments: Value::Object(Map::new()),
            options: Options::default(),
        }
    }
}

impl<'s> Traversal<'s> {
    /// Sets the arguments of every attempt.
    pub fn arguments(mut self, arguments: Value) -> Self {
        self.arguments = arguments;
        self
    }

    setters! {
        /// Sets the id of the traversal.
        id,
        /// Limits the time of all attempts together.
        timeout,
        /// Sets who receives the events of the traversal and of its attempts.
        observer,
        /// Records the events of all attempts in one trace.
        trace,
        /// Ends the traversal when the token is cancelled.
        cancelled_by
    }

    /// Runs the traversal. No other call runs on its page until it has ended.
    pub async fn run(self) -> TraversalOutcome {
        let session = self.session;
        let clock = session.clock();
        let begun = clock.now();
        let call_id = self.options.call_id.clone().unwrap_or_else(next_call_id);
        let mut walk = Walk {
            call_id,
            observer: self.options.observer,
            trace: self.options.trace,
            attempts: 0,
            values: Vec::new(),
            secrets: Secrets::default(),
        };
        let result = self.walked(&mut walk).await.map_err(|error| walk.secrets.mask(&error));
        if walk.attempts > 0 {
            walk.emit(EventKind::TraversalFinished {
                transition: self.transition.clone(),
                converged: result.as_ref().is_ok_and(|converged| *converged),
                attempts: walk.attempts,
            });
        }
        TraversalOutcome {
            call_id: walk.call_id,
            result: result.map_err(Masked::into_inner),
            attempts: walk.attempts,
            values: walk.values,
            duration: clock.now().saturating_duration_since(begun),
            secrets: walk.secrets,
        }
    }

    async fn walked(&self, walk: &mut Walk<'_>) -> Result<bool, CallError> {
        let session = self.session;
        let (transition, tool) = session.engine().plans.traversed(&self.transition)?;
        let plan = session.engine().plan(tool)?;
        walk.secrets = secret::of_input(plan.input.schema(), &self.arguments);
        let input = plan.input.accept(self.arguments.clone()).map_err(|error| error.at(&plan.place))?;
        secret::learn_input(&walk.secrets, plan.input.schema(), &input);
        let deadline = session.deadline(self.options.timeout);
        let turn = tokio::select! {
            biased;
            () = self.options.cancel.cancelled() => return Err(cancelled()),
            turn = session.turn(deadline) => turn?,
        };
        let clock = session.clock();
        let limits = session.engine().limits();
        let declared = transition.convergence.as_ref().and_then(|convergence| convergence.max_attempts);
        let most = declared.unwrap_or(limits.max_attempts).min(limits.max_attempts);
        for attempt in 1..=most {
            let left = Millis::from(deadline.at().saturating_duration_since(clock.now()));
            if left.0 == 0 {
                return Err(self.over(transition, walk, &plan));
            }
            walk.attempts = attempt;
            let prepared = Prepared {
                plan: &plan,
                input: Ok(input.clone()),
                call_id: attempt_id(&walk.call_id, attempt),
                timeout: Some(left),
                observer: self.options.observer,
                trace: self.options.trace,
                cancel: &self.options.cancel,
            };
            let outcome = session.perform(prepared, &turn, Duration::ZERO).await;
            outcome.secrets.texts().iter().for_each(|text| walk.secrets.learn(&json!(text)));
            let value = outcome.result.map_err(|error| in_attempt(error, transition, &plan, attempt))?;
            walk.values.push(value);
            let converged = tokio::select! {
                biased;
                () = self.options.cancel.cancelled() => return Err(changed(cancelled(), &plan)),
                converged = self.is_complete(transition, walk, &input, &turn.page, deadline) => converged,
            };
            let converged = converged.map_err(|error| in_attempt(error, transition, &plan, attempt))?;
            walk.emit(EventKind::TraversalEvaluated {
                transition: transition.name.clone(),
                attempt,
                of: most,
                satisfied: converged,
            });
            if converged {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the condition of the transition holds after an attempt.
    async fn is_complete(
        &self,
        transition: &TransitionPlan,
        walk: &Walk<'_>,
        input: &Value,
        page: &super::pages::HeldPage,
        deadline: actions_browser::Deadline,
    ) -> Result<bool, CallError> {
        let condition = transition.convergence.as_ref().and_then(|one| one.complete_when.as_ref());
        let Some(CompleteWhen::Expression(expression)) = condition else { return Ok(false) };
        let stage = self.session.stage_on(page);
        let engine = self.session.engine();
        let prober = Prober { stage: &stage, states: engine.plans.states(), deadline };
        let seen = prober.all_states().await?;
        let scope = json!({
            "input": input,
            "attempt": walk.attempts,
            "values": walk.values,
            "value": walk.values.last(),
            "states": seen.current,
            "url": seen.url,
        });
        let evaluated = expression.evaluate(&scope, &engine.limits().budget());
        let evaluated = evaluated.map_err(|error| {
            let error = match secret::are_read_by(&walk.secrets, expression, &scope) {
                true => error.without_values(),
                false => error,
            };
            let failure = Failure::new(error.code(), error.to_string());
            CallError::from(failure).at(&transition.place).with_evidence("expression", expression.source())
        })?;
        Ok(evaluated.is_truthy())
    }

    fn over(&self, transition: &TransitionPlan, walk: &Walk<'_>, plan: &Plan) -> CallError {
        let limit = self.options.timeout.unwrap_or(self.session.engine().limits().call_timeout);
        let message = format!(
            "the traversal of `{}` did not end within {:?}; {} attempts were made",
            transition.name,
            Duration::from_millis(limit.0),
            walk.attempts
        );
        let error = CallError::new(ErrorCode::HandlerTimeout, message).at(&transition.place);
        let error = error.with_evidence("transition", transition.name.as_str());
        let error = error.with_evidence("attempts", walk.attempts).with_evidence("timeout_ms", limit.0);
        if walk.attempts > 0 { changed(error, plan) } else { error }
    }
}

/// A traversal while it runs.
struct Walk<'w> {
    call_id: CallId,
    observer: &'w dyn Observer,
    trace: Option<&'w TraceRecorder>,
    attempts: usize,
    values: Vec<Value>,
    secrets: Secrets,
}

impl Walk<'_> {
    fn emit(&self, kind: EventKind) {
        let event = RunEvent { kind, call_id: self.call_id.clone(), within: Vec::new() };
        self.observer.event(&event);
        if let Some(trace) = self.trace {
            trace.record(&event);
        }
    }
}

/// The error of an attempt, as the error of the traversal.
fn in_attempt(error: CallError, transition: &TransitionPlan, plan: &Plan, attempt: usize) -> CallError {
    let error = error.with_evidence("transition", transition.name.as_str()).with_evidence("attempt", attempt);
    if attempt > 1 { changed(error, plan) } else { error }
}

/// An error after an attempt that has succeeded, which may have changed something.
fn changed(error: CallError, plan: &Plan) -> CallError {
    CallError { mutated: error.mutated || plan.effect() == Effect::Mutating, ..error }
}
