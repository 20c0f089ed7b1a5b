//! A fault in the grammar of an expression.

use actions_protocol::ErrorCode;

use crate::{CompileError, Place};

/// What is wrong and where, before it is wrapped for the caller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SyntaxError {
    /// The code jsonata.js gives this fault.
    pub(crate) jsonata_code: &'static str,
    pub(crate) place: Place,
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
}

impl SyntaxError {
    pub(super) fn new(jsonata_code: &'static str, place: Place, message: impl Into<String>) -> Self {
        SyntaxError { jsonata_code, place, message: message.into(), hint: None }
    }

    pub(super) fn with_hint(self, hint: impl Into<String>) -> Self {
        SyntaxError { hint: Some(hint.into()), ..self }
    }
}

impl From<SyntaxError> for CompileError {
    fn from(error: SyntaxError) -> Self {
        CompileError {
            code: ErrorCode::InvalidExpression,
            jsonata_code: Some(error.jsonata_code.to_owned()),
            place: error.place,
            message: error.message,
            hint: error.hint,
        }
    }
}
