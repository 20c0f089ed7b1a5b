use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use actions_protocol::StepId;

use crate::failure::FailedStep;
use crate::plan::Step;

/// What a call is doing and has done, readable while it runs and after it was cut off.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    mutated: AtomicBool,
    /// How often the call has gone on.
    turns: AtomicUsize,
    /// What has begun and not ended, from the outside in.
    begun: Mutex<Vec<Begun>>,
}

/// Something that has begun.
#[derive(Clone, Debug)]
pub(super) enum Begun {
    /// A step: of the call itself, or of one within it.
    Step { step: FailedStep, start: Instant },
    /// A primitive: the step it belongs to, and those of the calls around it.
    Primitive { step_id: Option<StepId>, within: Vec<StepId>, name: String, start: Instant },
}

impl Begun {
    fn step(&self) -> Option<&FailedStep> {
        match self {
            Self::Step { step, .. } => Some(step),
            Self::Primitive { .. } => None,
        }
    }
}

/// How often a call goes on before it gives way.
const TURNS: usize = 16;

impl Progress {
    /// Whether it is time to let others have a turn.
    pub(super) fn is_due_to_give_way(&self) -> bool {
        self.turns.fetch_add(1, Ordering::Relaxed) % TURNS == TURNS - 1
    }

    pub(super) fn enter(&self, step: &Step, start: Instant) {
        self.begun().push(Begun::Step { step: step.as_failed(), start });
    }

    pub(super) fn enter_primitive(
        &self,
        step_id: Option<&StepId>,
        within: Vec<StepId>,
        name: &str,
        start: Instant,
    ) {
        let (step_id, name) = (step_id.cloned(), name.to_owned());
        self.begun().push(Begun::Primitive { step_id, within, name, start });
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

    fn begun(&self) -> MutexGuard<'_, Vec<Begun>> {
        self.begun.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
