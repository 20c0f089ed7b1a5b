//! The arguments of a call.

use jsonata_core::evaluator::EvaluatorError;
use jsonata_core::value::JValue;

/// The arguments of a call, checked as they are taken.
#[derive(Clone, Copy)]
pub(super) struct Arguments<'a> {
    pub(super) function: &'static str,
    pub(super) values: &'a [JValue],
}

impl<'a> Arguments<'a> {
    /// The argument at an index; undefined when it is not given.
    pub(super) fn get(&self, index: usize) -> &'a JValue {
        self.values.get(index).unwrap_or(&JValue::Undefined)
    }

    /// Fails unless at least that many arguments are given, undefined or not.
    pub(super) fn require(&self, count: usize) -> Result<(), EvaluatorError> {
        if self.values.len() < count { Err(self.mismatch(self.values.len())) } else { Ok(()) }
    }

    /// A string, or nothing if it is undefined.
    pub(super) fn string(&self, index: usize) -> Result<Option<&'a str>, EvaluatorError> {
        match self.get(index) {
            JValue::Undefined => Ok(None),
            JValue::String(text) => Ok(Some(text)),
            _ => Err(self.mismatch(index)),
        }
    }

    /// A number, or nothing if it is undefined.
    pub(super) fn number(&self, index: usize) -> Result<Option<f64>, EvaluatorError> {
        match self.get(index) {
            JValue::Undefined => Ok(None),
            JValue::Number(number) => Ok(Some(*number)),
            _ => Err(self.mismatch(index)),
        }
    }

    /// Undefined if the first argument is; otherwise another one that must be there is missing.
    pub(super) fn undefined_if_first_is(&self) -> Result<JValue, EvaluatorError> {
        match self.get(0) {
            JValue::Undefined => Ok(JValue::Undefined),
            _ => Err(self.mismatch(1)),
        }
    }

    /// The error of an argument of the wrong type.
    pub(super) fn mismatch(&self, index: usize) -> EvaluatorError {
        failed(format!("T0410: ${}: argument {} has the wrong type", self.function, index + 1))
    }
}

/// An error with a code of JSONata at the start of its message.
pub(super) fn failed(message: impl Into<String>) -> EvaluatorError {
    EvaluatorError::EvaluationError(message.into())
}
