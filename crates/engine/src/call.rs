//! A call of a tool, from its arguments to its outcome.

use std::sync::atomic::{AtomicU64, Ordering};

use actions_protocol::{CallId, Millis};
use actions_trace::TraceRecorder;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::observer::Observer;
use crate::run::{self, Outcome, Request};
use crate::session::Session;

/// A call of a tool that has not begun yet.
#[must_use = "a call does nothing until it is run"]
pub struct Call<'s> {
    session: &'s Session,
    tool: String,
    arguments: Value,
    call_id: Option<CallId>,
    timeout: Option<Millis>,
    observer: &'s dyn Observer,
    trace: Option<&'s TraceRecorder>,
    cancel: CancellationToken,
}

impl<'s> Call<'s> {
    pub(crate) fn new(session: &'s Session, tool: String) -> Self {
        Self {
            session,
            tool,
            arguments: Value::Object(serde_json::Map::new()),
            call_id: None,
            timeout: None,
            observer: &(),
            trace: None,
            cancel: CancellationToken::new(),
        }
    }

    /// Gives the arguments.
    pub fn arguments(mut self, arguments: Value) -> Self {
        self.arguments = arguments;
        self
    }

    /// Gives the call an id of the caller's own.
    pub fn id(mut self, call_id: CallId) -> Self {
        self.call_id = Some(call_id);
        self
    }

    /// Limits the time of the call.
    pub fn timeout(mut self, timeout: Millis) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// Tells somebody what happens.
    pub fn observer(mut self, observer: &'s dyn Observer) -> Self {
        self.observer = observer;
        self
    }

    /// Writes down what happens, with pictures.
    pub fn trace(mut self, trace: &'s TraceRecorder) -> Self {
        self.trace = Some(trace);
        self
    }

    /// Ends the call when the token is cancelled.
    pub fn cancelled_by(mut self, cancel: CancellationToken) -> Self {
        self.cancel = cancel;
        self
    }

    /// Runs the call. Dropping the future ends it where it is.
    pub async fn run(self) -> Outcome {
        let session = self.session;
        let engine = session.engine();
        let call_id = self.call_id.unwrap_or_else(next_call_id);
        let plan = match engine.plan(&self.tool) {
            Ok(plan) => plan,
            Err(error) => return Outcome::never_began(call_id, error),
        };
        let clock = session.clock();
        let begun = clock.now();
        let turn = tokio::select! {
            biased;
            () = self.cancel.cancelled() => Err(run::cancelled()),
            turn = session.turn(session.deadline(self.timeout)) => turn,
        };
        let _turn = match turn {
            Ok(turn) => turn,
            Err(error) => return Outcome::never_began(call_id, error),
        };
        let stage = session.stage();
        run::call(Request {
            plans: &engine.plans,
            plan: &plan,
            stage: &stage,
            limits: engine.limits(),
            gate: &engine.gate,
            observer: self.observer,
            trace: self.trace,
            call_id,
            arguments: self.arguments,
            timeout: self.timeout,
            queued: clock.now().saturating_duration_since(begun),
            cancel: &self.cancel,
        })
        .await
    }
}

/// An id that is unique within the process.
pub(crate) fn next_call_id() -> CallId {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    CallId::parse(&format!("call-{number}")).unwrap_or_else(|_| unreachable!("the id is short plain text"))
}
