use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use actions_protocol::StepId;

use crate::failure::FailedStep;
use crate::plan::Step;

/// What a call is doing and has done, readable while it runs and after it was cut off.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    mutated: AtomicBool,
    /// Whether nothing has been asked of the page since its last gesture.
    gesture: AtomicBool,
    /// The current step, and those of the calls within it.
    steps: Mutex<Vec<FailedStep>>,
}

impl Progress {
    pub(super) fn enter(&self, step: &Step) {
        self.steps().push(step.as_failed());
    }

    pub(super) fn leave(&self) {
        self.steps().pop();
    }

    /// The current step of the call itself.
    pub(super) fn current(&self) -> Option<FailedStep> {
        self.steps().first().cloned()
    }

    /// The current step of the innermost call, if that is another one.
    pub(super) fn innermost(&self) -> Option<FailedStep> {
        self.steps().get(1..).and_then(|inner| inner.last()).cloned()
    }

    /// The steps a call of this depth stands in.
    pub(super) fn outer(&self, depth: usize) -> Vec<StepId> {
        self.steps().iter().take(depth).map(|step| step.id.clone()).collect()
    }

    pub(super) fn set_mutated(&self, mutated: bool) {
        self.mutated.store(mutated, Ordering::Relaxed);
    }

    pub(super) fn mutated(&self) -> bool {
        self.mutated.load(Ordering::Relaxed)
    }

    pub(super) fn set_gesture(&self, last: bool) {
        self.gesture.store(last, Ordering::Relaxed);
    }

    /// Whether nothing has been asked of the page since its last gesture.
    pub(crate) fn last_was_gesture(&self) -> bool {
        self.gesture.load(Ordering::Relaxed)
    }

    fn steps(&self) -> MutexGuard<'_, Vec<FailedStep>> {
        self.steps.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
