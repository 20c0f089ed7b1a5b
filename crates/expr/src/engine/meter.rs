//! What an evaluation has used so far, for the work that the engine does not interrupt.

use std::cell::Cell;
use std::time::Instant;

use jsonata_core::evaluator::EvaluatorError;
use jsonata_core::value::JValue;

use crate::Budget;

/// Why an evaluation was stopped.
#[derive(Clone, Copy)]
pub(super) enum Stop {
    /// It handled too much data.
    Memory,
    /// A single function took too long.
    Time,
    /// It was about to build too long a sequence.
    Sequence,
}

/// What an item of an array or a member of an object costs, beside its content.
const ITEM: usize = 32;

/// Counts what functions and operators build, and looks at the clock where the engine does not.
pub(super) struct Meter {
    pub(super) max_memory: usize,
    pub(super) max_sequence: usize,
    used: Cell<usize>,
    stopped: Cell<Option<Stop>>,
    deadline: Option<Instant>,
}

impl Meter {
    pub(super) fn new(budget: &Budget) -> Self {
        Meter {
            max_memory: budget.max_memory,
            max_sequence: budget.max_sequence,
            used: Cell::new(0),
            stopped: Cell::new(None),
            deadline: Instant::now().checked_add(budget.max_time),
        }
    }

    /// The error that ends the evaluation. The reason stays here: the engine hands on only messages, and an expression
    /// can raise an error with any message.
    pub(super) fn stop(&self, why: Stop) -> EvaluatorError {
        self.stopped.set(Some(why));
        EvaluatorError::EvaluationError("the evaluation was stopped".to_owned())
    }

    /// Why the evaluation was stopped, if it was.
    pub(super) fn stopped(&self) -> Option<Stop> {
        self.stopped.get()
    }

    /// Pays for `bytes` that are about to be built.
    pub(super) fn charge(&self, bytes: usize) -> Result<(), EvaluatorError> {
        let used = self.used.get().saturating_add(bytes);
        if used > self.max_memory {
            return Err(self.stop(Stop::Memory));
        }
        self.used.set(used);
        Ok(())
    }

    /// Pays for that many items.
    pub(super) fn charge_items(&self, items: usize) -> Result<(), EvaluatorError> {
        self.charge(items.saturating_mul(ITEM))
    }

    /// Fails when the time is up.
    pub(super) fn check_time(&self) -> Result<(), EvaluatorError> {
        match self.deadline {
            Some(deadline) if Instant::now() > deadline => Err(self.stop(Stop::Time)),
            _ => Ok(()),
        }
    }

    /// The size of a value written out, where what is shared counts as often as it is seen. Fails when that is more
    /// than all the memory there is, without looking further.
    pub(super) fn measure(&self, value: &JValue) -> Result<usize, EvaluatorError> {
        let mut size = 0;
        let mut pending = vec![std::slice::from_ref(value).iter()];
        let mut maps = Vec::new();
        loop {
            let Some(items) = pending.last_mut() else {
                match maps.pop() {
                    Some(items) => pending.push(items),
                    None => return Ok(size),
                }
                continue;
            };
            let Some(item) = items.next() else {
                pending.pop();
                continue;
            };
            size += ITEM;
            match item {
                JValue::String(text) => size += text.len(),
                JValue::Array(items) => pending.push(items.as_slice().iter()),
                JValue::Object(members) => {
                    for (key, member) in members.iter() {
                        size += key.len();
                        maps.push(std::slice::from_ref(member).iter());
                    }
                }
                _ => {}
            }
            if size > self.max_memory {
                return Err(self.stop(Stop::Memory));
            }
        }
    }
}
