//! The failure of a step, and whether the workflow can continue after it.

use actions_primitives::Failure;

use super::loss::as_lost;
use crate::failure::CallError;

/// Why a step failed, and the cause if the failure only wraps it.
#[derive(Debug)]
pub(super) struct StepFailure {
    pub(super) failure: Failure,
    pub(super) cause: Option<Box<Failure>>,
    /// Whether the workflow ends with it whatever `on_error` says: the step has used up its attempts.
    pub(super) is_final: bool,
}

impl StepFailure {
    /// Whether a workflow can continue after it.
    pub(super) fn is_survivable(&self) -> bool {
        !self.is_final && survivable(&self.failure)
    }
}

/// Whether a workflow can continue after a failure.
pub(super) fn survivable(failure: &Failure) -> bool {
    !failure.code.ends_call()
}

impl From<CallError> for StepFailure {
    fn from(error: CallError) -> Self {
        let failure = Failure { code: error.code, message: error.message, evidence: error.evidence };
        Self { cause: error.cause, ..failure.into() }
    }
}

impl From<Failure> for StepFailure {
    fn from(failure: Failure) -> Self {
        Self { failure: as_lost(failure), cause: None, is_final: false }
    }
}
