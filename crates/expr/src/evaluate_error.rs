//! Why an evaluation gave no value.

use std::time::Duration;

use actions_protocol::ErrorCode;

use crate::Place;

/// An evaluation that failed or ran out of its budget.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EvaluateError {
    /// The expression met a value it cannot work with, or raised an error itself.
    #[error("{message}")]
    Failed {
        /// What went wrong, in a sentence.
        message: String,
        /// The code JSONata gives the failure, such as `T2001`, where it has one.
        jsonata_code: Option<String>,
        /// The place of the failure in the source, if it is known.
        place: Option<Place>,
    },
    /// The result has too many bytes.
    #[error("the value of the expression has more than {max_bytes} bytes")]
    TooLarge {
        /// The budget that was exceeded.
        max_bytes: usize,
    },
    /// The evaluation took too long.
    #[error("the expression did not finish within {} ms", max_time.as_millis())]
    TooSlow {
        /// The budget that was exceeded.
        max_time: Duration,
    },
    /// The evaluation or its result is nested too deeply.
    #[error("the expression or its value is nested more than {max_depth} levels deep")]
    TooDeep {
        /// The budget that was exceeded.
        max_depth: usize,
    },
    /// A sequence got too long on the way.
    #[error("the expression builds a sequence of more than {max_sequence} items")]
    TooLong {
        /// The budget that was exceeded.
        max_sequence: usize,
    },
    /// A value got too large on the way, or all that was built together.
    #[error("the expression builds more than {max_memory} bytes on the way")]
    TooBig {
        /// The budget that was exceeded.
        max_memory: usize,
    },
}

impl EvaluateError {
    /// The stable code of this error.
    pub const fn code(&self) -> ErrorCode {
        match self {
            EvaluateError::Failed { .. } => ErrorCode::ExpressionEvaluationFailed,
            EvaluateError::TooLarge { .. } => ErrorCode::ExpressionOutputTooLarge,
            EvaluateError::TooSlow { .. }
            | EvaluateError::TooDeep { .. }
            | EvaluateError::TooLong { .. }
            | EvaluateError::TooBig { .. } => ErrorCode::ExpressionBudgetExceeded,
        }
    }

    /// The code JSONata gives the failure, such as `T2001`, where it has one.
    pub fn jsonata_code(&self) -> Option<&str> {
        match self {
            EvaluateError::Failed { jsonata_code, .. } => jsonata_code.as_deref(),
            EvaluateError::TooLarge { .. }
            | EvaluateError::TooSlow { .. }
            | EvaluateError::TooDeep { .. }
            | EvaluateError::TooLong { .. }
            | EvaluateError::TooBig { .. } => None,
        }
    }

    /// The place of the failure in the source, if it is known.
    pub const fn place(&self) -> Option<Place> {
        match self {
            EvaluateError::Failed { place, .. } => *place,
            EvaluateError::TooLarge { .. }
            | EvaluateError::TooSlow { .. }
            | EvaluateError::TooDeep { .. }
            | EvaluateError::TooLong { .. }
            | EvaluateError::TooBig { .. } => None,
        }
    }

    /// The error without the values in its message, which may be private.
    #[must_use]
    pub fn without_values(self) -> Self {
        match self {
            EvaluateError::Failed { jsonata_code, place, .. } => {
                let code = jsonata_code.as_deref().map(|code| format!(" ({code})")).unwrap_or_default();
                let message = format!("the expression met a value it cannot work with{code}");
                EvaluateError::Failed { message, jsonata_code, place }
            }
            EvaluateError::TooLarge { .. }
            | EvaluateError::TooSlow { .. }
            | EvaluateError::TooDeep { .. }
            | EvaluateError::TooLong { .. }
            | EvaluateError::TooBig { .. } => self,
        }
    }

    /// The byte offset of the failure in the source, if it is known.
    pub fn offset(&self) -> Option<usize> {
        self.place().map(|place| place.offset)
    }
}
