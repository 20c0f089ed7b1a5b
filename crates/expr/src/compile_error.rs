//! Why an expression was refused before it was ever evaluated.

use actions_protocol::ErrorCode;

use crate::Place;

/// An expression that is not valid or not allowed, with the place of the fault in its source.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct CompileError {
    pub(crate) code: ErrorCode,
    pub(crate) jsonata_code: Option<String>,
    pub(crate) place: Place,
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
}

impl CompileError {
    /// `invalid_expression` or `disallowed_expression_function`.
    pub const fn code(&self) -> ErrorCode {
        self.code
    }

    /// The code JSONata itself gives the fault, such as `S0202`, where it has one.
    pub fn jsonata_code(&self) -> Option<&str> {
        self.jsonata_code.as_deref()
    }

    /// The place of the fault in the source.
    pub const fn place(&self) -> Place {
        self.place
    }

    /// The byte offset of the fault in the source.
    pub const fn offset(&self) -> usize {
        self.place.offset
    }

    /// The length of the fault in bytes; zero when something is missing at the end of the source.
    #[expect(clippy::len_without_is_empty, reason = "the length of a fault, not of a collection")]
    pub const fn len(&self) -> usize {
        self.place.len
    }

    /// What the author can do about it, where there is something to say beyond the message.
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }
}
