//! A call of a tool, from its arguments to its outcome.

use std::sync::Arc;
use std::time::Duration;

use actions_protocol::{CallId, Millis};
use actions_trace::TraceRecorder;
use serde_json::Value;
use tokio_util::sync::CancellationToken;
use tracing::Instrument;

use super::Session;
use super::pages::Turn;
use super::setters::{Options, setters};
use crate::failure::CallError;
use crate::observer::Observer;
use crate::plan::{CheckedInput, Plan};
use crate::run::{self, Outcome, Rejected, Request};

/// A call of a tool that has not begun yet.
#[must_use = "a call does nothing until it is run"]
pub struct Call<'s> {
    session: &'s Session,
    what: What,
    input: Input,
    options: Options<'s>,
}

/// What is called.
enum What {
    Tool(String),
    Primitive(String),
}

/// What a call is given.
enum Input {
    Arguments(Value),
    Checked(CheckedInput),
}

impl<'s> Call<'s> {
    pub(super) fn tool(session: &'s Session, tool: String) -> Self {
        Self::new(session, What::Tool(tool))
    }

    pub(super) fn primitive(session: &'s Session, primitive: String) -> Self {
        Self::new(session, What::Primitive(primitive))
    }

    fn new(session: &'s Session, what: What) -> Self {
        Self {
            session,
            what,
            input: Input::Arguments(Value::Object(serde_json::Map::new())),
            options: Options::default(),
        }
    }

    pub(super) fn with(session: &'s Session, input: CheckedInput) -> Self {
        let call = Self::tool(session, input.plan.name.to_string());
        Self { input: Input::Checked(input), ..call }
    }

    /// Sets the arguments.
    pub fn arguments(mut self, arguments: Value) -> Self {
        self.input = Input::Arguments(arguments);
        self
    }

    setters! {
        /// Sets the id of the call. Without one, the call gets an id that is unique within the process.
        id,
        /// Limits the time of the call.
        timeout,
        /// Sets who receives the events of the call.
        observer,
        /// Records the events of the call, with pictures of the page.
        ///
        /// ```no_run
        /// # async fn example(session: actions_engine::Session) -> Result<(), actions_engine::TraceError> {
        /// use actions_engine::TraceRecorder;
        ///
        /// let recorder = TraceRecorder::create("runs/today")?;
        /// let outcome = session.call("search.submit").trace(&recorder).run().await;
        /// recorder.finish()?;
        /// # Ok(())
        /// # }
        /// ```
        ///
        /// Failed requests are among the events if the context of the page was opened with
        /// [`ContextOptions::report_failed_requests`](crate::browser::ContextOptions::report_failed_requests).
        trace,
        /// Ends the call when the token is cancelled.
        cancelled_by
    }

    /// Runs the call. Dropping the future ends it where it is.
    pub async fn run(self) -> Outcome {
        let span = self.session.span();
        self.run_in_turn().instrument(span).await
    }

    async fn run_in_turn(self) -> Outcome {
        let session = self.session;
        let Options { call_id, timeout, observer, trace, cancel } = self.options;
        let call_id = call_id.unwrap_or_else(run::next_call_id);
        let (plan, input) = match accepted(session, &self.what, self.input) {
            Ok(accepted) => accepted,
            Err(error) => return Outcome::never_began(call_id, error),
        };
        let clock = session.clock();
        let begun = clock.now();
        let turn = tokio::select! {
            biased;
            () = cancel.cancelled() => Err(run::cancelled()),
            turn = session.turn(session.deadline(timeout)) => turn,
        };
        let turn = match turn {
            Ok(turn) => turn,
            Err(error) => return Outcome::never_began(call_id, error),
        };
        let prepared = Prepared { plan: &plan, input, call_id, timeout, observer, trace, cancel: &cancel };
        session.perform(prepared, &turn, clock.now().saturating_duration_since(begun)).await
    }
}

/// A call whose turn it is.
pub(super) struct Prepared<'c> {
    pub(super) plan: &'c Plan,
    pub(super) input: Result<Value, Rejected>,
    pub(super) call_id: CallId,
    pub(super) timeout: Option<Millis>,
    pub(super) observer: &'c dyn Observer,
    pub(super) trace: Option<&'c TraceRecorder>,
    pub(super) cancel: &'c CancellationToken,
}

impl Session {
    /// Performs a call that has waited `queued` for its turn.
    pub(super) async fn perform(&self, call: Prepared<'_>, turn: &Turn, queued: Duration) -> Outcome {
        let engine = self.engine();
        let stage = self.stage_on(&turn.page);
        let redirect = self.take_redirect();
        // Boxed, because callers keep the future of a call in their own.
        let outcome = Box::pin(run::call(Request {
            plans: &engine.plans,
            plan: call.plan,
            stage: &stage,
            limits: engine.limits(),
            end: engine.end,
            concealed: &engine.concealed,
            gate: &engine.gate,
            observer: call.observer,
            trace: call.trace,
            call_id: call.call_id,
            input: call.input,
            timeout: call.timeout,
            queued,
            cancel: call.cancel,
        }))
        .await;
        Outcome { result: outcome.result.map_err(|error| self.explained(error, redirect)), ..outcome }
    }
}

/// The plan of what is called, and the input of a call of it. Input that was validated for this very plan is not validated again.
fn accepted(
    session: &Session,
    what: &What,
    input: Input,
) -> Result<(Arc<Plan>, Result<Value, Rejected>), CallError> {
    let plan = match what {
        What::Tool(tool) => session.engine().plan(tool)?,
        What::Primitive(primitive) => session.engine().plans.primitive(primitive)?,
    };
    let arguments = match input {
        Input::Checked(checked) if Arc::ptr_eq(&checked.plan, &plan) => return Ok((plan, Ok(checked.value))),
        Input::Checked(checked) => checked.value,
        Input::Arguments(arguments) => arguments,
    };
    let input = plan.input.accept(arguments.clone());
    let input = input.map_err(|error| Rejected { error: error.at(&plan.place), arguments });
    Ok((plan, input))
}
