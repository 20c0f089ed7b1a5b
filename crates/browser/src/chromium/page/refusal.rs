//! Classifies refused commands by Chromium's message. The protocol has no error codes for these cases.
//!
//! This is the only module that reads the text of an error.

use crate::Error;

/// How a command failed, as far as its document is concerned.
pub(super) enum Refusal {
    /// The document was gone before the command reached it.
    NotBegun,
    /// The document, or its process, went away while the command ran.
    CutOff,
    /// Any other error.
    Other(Error),
}

const NOT_BEGUN: &[&str] = &[
    "Cannot find context",
    "Could not find object",
    "Invalid remote object id",
    "Argument should belong to the same JavaScript world",
];
const CUT_OFF: &[&str] = &[
    "Execution context was destroyed",
    "Inspected target navigated or closed",
    "Promise was collected",
    "Cannot find default execution context",
    // The browser process has no renderer for the page while it moves to another one.
    "Not attached to an active page",
    "Internal error",
];
const CRASHED: &[&str] = &["Target crashed"];
/// A value that refers to itself or is nested too deeply.
const NOT_SERIALISABLE: &[&str] =
    &["Object reference chain is too long", "Failed to convert response to JSON"];
/// An override that another page of the same process has already set.
const IN_EFFECT: &[&str] = &["already in effect"];
const INVALID_URL: &[&str] = &["invalid URL"];
const NO_DIALOG: &[&str] = &["No dialog"];

/// Whether the browser refused a command with one of these messages.
fn says(error: &Error, messages: &[&str]) -> bool {
    matches!(error, Error::Refused { message, .. } if messages.iter().any(|one| message.contains(one)))
}

/// Whether the value that a script returned cannot be serialised.
pub(super) fn is_not_serialisable(error: &Error) -> bool {
    says(error, NOT_SERIALISABLE)
}

/// Whether the setting that a command makes is in effect already.
pub(super) fn is_in_effect(error: &Error) -> bool {
    says(error, IN_EFFECT)
}

/// Whether the browser cannot parse the URL of a navigation.
pub(super) fn is_invalid_url(error: &Error) -> bool {
    says(error, INVALID_URL)
}

/// Whether the dialog that a command answers is closed already.
pub(super) fn is_without_dialog(error: &Error) -> bool {
    says(error, NO_DIALOG)
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        match error {
            // The frame moved to another process or left the page; the caller finds out which.
            Error::FrameDetached { .. } => Refusal::CutOff,
            error if says(&error, NOT_BEGUN) => Refusal::NotBegun,
            error if says(&error, CUT_OFF) => Refusal::CutOff,
            error if says(&error, CRASHED) => Refusal::Other(Error::PageCrashed),
            error => Refusal::Other(error),
        }
    }
}

/// The error of a command that must not be repeated: in both cases its document is gone.
pub(super) fn replaced(during: &str) -> impl Fn(Error) -> Error {
    move |error| match Refusal::from(error) {
        Refusal::NotBegun | Refusal::CutOff => Error::DocumentReplaced { during: during.to_owned() },
        Refusal::Other(error) => error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(message: &str) -> Error {
        let (method, message) = ("Input.dispatchMouseEvent".to_owned(), message.to_owned());
        Error::Refused { method, code: -32603, message }
    }

    #[test]
    fn input_to_a_page_that_moves_to_another_process_meets_a_replaced_document() {
        for message in
            ["Internal error", "Not attached to an active page", "Execution context was destroyed."]
        {
            let error = replaced("input was sent")(refused(message));
            assert!(matches!(error, Error::DocumentReplaced { .. }), "{message}");
        }
    }

    #[test]
    fn any_other_refusal_stays_what_it_is() {
        assert!(matches!(replaced("input was sent")(refused("Invalid parameters")), Error::Refused { .. }));
    }
}
