//! Runs a plan. One control structure per file; `workflow.rs` only calls them.

mod about;
mod admission;
mod arrival;
mod call;
mod call_id;
mod changing;
mod close;
mod departure;
mod evaluate;
mod fixed;
mod for_each;
mod loss;
mod nested;
mod once;
mod opened;
mod output;
mod pace;
mod perform;
mod picture;
mod postcondition;
mod precondition;
mod primitive;
mod progress;
mod questions;
mod read_state;
mod retry;
mod scope;
mod settle;
mod step;
mod step_failure;
mod watch;
mod when;
mod workflow;

use std::time::{Duration, Instant};

use actions_browser::Deadline;
use actions_expr::Budget;
use actions_primitives::{Failure, Stage};
use actions_protocol::{CallId, ErrorCode, ErrorObject};
use actions_trace::{EventKind, Masked, RunEvent, Secrets, TraceRecorder};

pub use arrival::Arrival;
pub(crate) use arrival::lost;
pub use call::Outcome;
pub(crate) use call::{Rejected, Request, call, cancelled};
pub(crate) use call_id::next_call_id;
pub(crate) use fixed::answer_fixed;
pub(crate) use loss::as_lost_call;
pub(crate) use progress::numbered as attempt_id;
pub(crate) use scope::Scope;

use crate::limits::Limits;
use crate::observer::Observer;
use crate::plan::{Plan, Standing};
use crate::plans::Plans;
use crate::policy::Gate;
use loss::Loss;
use opened::Opened;
use progress::{Origin, Progress};
use questions::{Allowance, Questions};

/// What every part of a running call needs.
pub(crate) struct Run<'r> {
    pub(crate) call_id: &'r CallId,
    pub(crate) plans: &'r Plans,
    pub(crate) stage: &'r Stage,
    pub(crate) limits: &'r Limits,
    pub(crate) gate: &'r Gate,
    pub(crate) observer: &'r dyn Observer,
    pub(crate) trace: Option<&'r TraceRecorder>,
    pub(crate) secrets: &'r Secrets,
    pub(crate) allowance: Allowance<'r>,
    pub(crate) questions: &'r Questions,
    pub(crate) budget: Budget,
    pub(crate) progress: &'r Progress,
    pub(crate) loss: &'r Loss,
    pub(crate) opened: &'r Opened,
    /// The least time from the start of one human-visible primitive to the start of the next, by the tool's own limit.
    pub(crate) interval: Duration,
    /// How many calls are around this one.
    pub(crate) depth: usize,
    /// The tool that is performed.
    pub(crate) plan: &'r Plan,
    /// What it may use: no more than the tool that called it.
    pub(crate) standing: Standing,
}

impl Run<'_> {
    pub(crate) fn now(&self) -> Instant {
        self.stage.clock().now()
    }

    /// The deadline of the call.
    pub(crate) fn deadline(&self) -> Deadline {
        self.allowance.deadline()
    }

    /// Whether the deadline has passed.
    pub(crate) fn is_over(&self) -> bool {
        self.now() >= self.deadline().at()
    }

    pub(crate) fn millis_since(&self, start: Instant) -> u64 {
        u64::try_from(self.now().saturating_duration_since(start).as_millis()).unwrap_or(u64::MAX)
    }

    /// Fails after the deadline. Yields every 16 calls, so that a workflow that never waits stays cancellable.
    pub(crate) async fn checkpoint(&self) -> Result<(), Failure> {
        if self.is_over() {
            return Err(Failure::new(ErrorCode::HandlerTimeout, "its turn"));
        }
        if self.progress.should_yield() {
            tokio::task::yield_now().await;
        }
        Ok(())
    }

    /// Waits, but not beyond the deadline. The failure at the deadline names what it waited for.
    pub(crate) async fn pause(
        &self,
        pause: Duration,
        waiting: impl FnOnce() -> String,
    ) -> Result<(), Failure> {
        let until = self.now() + pause;
        self.stage.clock().sleep_until(until.min(self.deadline().at())).await;
        if until > self.deadline().at() {
            return Err(Failure::new(ErrorCode::HandlerTimeout, waiting()));
        }
        Ok(())
    }

    /// Emits an event of this call to the observer and the trace.
    pub(crate) fn emit(&self, kind: EventKind) {
        self.emit_from(self.origin(), kind);
    }

    fn emit_from(&self, Origin { call_id, within }: Origin, kind: EventKind) {
        let event = RunEvent { kind, call_id, within };
        tracing::debug!(kind = ?event.kind);
        self.observer.event(&event);
        if let Some(trace) = self.trace {
            trace.record(&event);
        }
    }

    fn origin(&self) -> Origin {
        Origin { call_id: self.call_id.clone(), within: self.progress.outer(self.depth) }
    }

    /// A failure as an event shows it.
    fn masked_error(&self, failure: &Failure) -> Masked<ErrorObject> {
        let mut object = ErrorObject::new(failure.code, failure.message.clone());
        for (key, value) in &failure.evidence {
            object = object.with_evidence(key.clone(), value.clone());
        }
        self.secrets.mask(&object)
    }
}
