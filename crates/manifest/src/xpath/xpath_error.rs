//! Why a text is not an XPath expression.

/// Why a text is not an XPath expression, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct XPathError {
    /// The byte offset of the fault.
    pub offset: usize,
    /// The length of the fault in bytes; zero when something is missing.
    pub len: usize,
    /// What is wrong, in one sentence.
    pub message: String,
    /// What to write instead, where there is something to say.
    pub help: Option<String>,
}

impl XPathError {
    pub(super) fn new(start: usize, end: usize, message: impl Into<String>) -> Self {
        Self { offset: start, len: end.saturating_sub(start), message: message.into(), help: None }
    }

    pub(super) fn help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }
}
