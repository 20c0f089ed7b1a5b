//! Records what a call is doing, so that a call that is cut off can report it.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use actions_protocol::{CallId, StepId};

use super::arrival::Arrival;
use crate::failure::FailedStep;

/// What a call is doing and has done, readable while it runs and after it was cut off.
#[derive(Debug)]
pub(crate) struct Progress {
    /// The outermost call.
    call_id: CallId,
    mutated: AtomicBool,
    /// How many steps and attempts have started.
    turns: AtomicUsize,
    /// How many calls the steps have made.
    nested: AtomicUsize,
    /// What has begun and not ended, from the outside in.
    begun: Mutex<Vec<Begun>>,
    /// Where the call has brought the page.
    arrival: Mutex<Option<Arrival>>,
}

/// The call that an event belongs to, and the steps of the calls around it.
#[derive(Clone, Debug)]
pub(super) struct Origin {
    pub(super) call_id: CallId,
    pub(super) within: Vec<StepId>,
}

/// Something that has begun.
#[derive(Clone, Debug)]
pub(super) enum Begun {
    /// A call that a step makes.
    Call { origin: Origin, start: Instant },
    /// A step of any of the calls.
    Step { origin: Origin, step: FailedStep, start: Instant },
    /// A primitive, and the step that performs it.
    Primitive { origin: Origin, step_id: Option<StepId>, name: String, start: Instant },
}

impl Begun {
    fn step(&self) -> Option<&FailedStep> {
        match self {
            Self::Step { step, .. } => Some(step),
            Self::Call { .. } | Self::Primitive { .. } => None,
        }
    }
}

/// After how many turns a call yields to other tasks.
const TURNS: usize = 16;

impl Progress {
    /// The progress of a call that begins.
    pub(super) fn of(call_id: CallId) -> Self {
        Self {
            call_id,
            mutated: AtomicBool::default(),
            turns: AtomicUsize::default(),
            nested: AtomicUsize::default(),
            begun: Mutex::default(),
            arrival: Mutex::default(),
        }
    }

    /// Counts a turn. Returns whether the call should yield to other tasks.
    pub(super) fn should_yield(&self) -> bool {
        self.turns.fetch_add(1, Ordering::Relaxed) % TURNS == TURNS - 1
    }

    pub(super) fn enter(&self, begun: Begun) {
        self.begun().push(begun);
    }

    /// The id of the next call that a step makes: that of the outermost call, and a number.
    pub(super) fn next_nested_id(&self) -> CallId {
        let number = self.nested.fetch_add(1, Ordering::Relaxed) + 1;
        numbered(&self.call_id, number)
    }

    /// Takes out what began last.
    pub(super) fn leave(&self) -> Option<Begun> {
        self.begun().pop()
    }

    /// The current step of the call itself.
    pub(super) fn current(&self) -> Option<FailedStep> {
        self.begun().iter().find_map(Begun::step).cloned()
    }

    /// The current step of the innermost call, if that is another one.
    pub(super) fn innermost(&self) -> Option<FailedStep> {
        self.begun().iter().filter_map(Begun::step).skip(1).last().cloned()
    }

    /// The steps a call of this depth stands in.
    pub(super) fn outer(&self, depth: usize) -> Vec<StepId> {
        self.begun().iter().filter_map(Begun::step).take(depth).map(|step| step.id.clone()).collect()
    }

    pub(super) fn set_mutated(&self, mutated: bool) {
        self.mutated.store(mutated, Ordering::Relaxed);
    }

    pub(super) fn mutated(&self) -> bool {
        self.mutated.load(Ordering::Relaxed)
    }

    pub(super) fn set_arrival(&self, arrival: Arrival) {
        *self.arrival.lock().unwrap_or_else(PoisonError::into_inner) = Some(arrival);
    }

    pub(super) fn take_arrival(&self) -> Option<Arrival> {
        self.arrival.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn begun(&self) -> MutexGuard<'_, Vec<Begun>> {
        self.begun.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The id of one of several calls that belong to another: its id, and a number.
pub(crate) fn numbered(call_id: &CallId, number: usize) -> CallId {
    let whole = CallId::parse(&format!("{call_id}.{number}"));
    whole.unwrap_or_else(|_| {
        // The caller's id is as long as an id can be. A character has at most four bytes.
        let start: String = call_id.as_str().chars().take(32).collect();
        CallId::parse(&format!("{start}.{number}")).expect("the start of an id, and a number")
    })
}
