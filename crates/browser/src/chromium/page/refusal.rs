//! Classifies refused commands by Chromium's message. The protocol has no error codes for these cases.

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
];

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        let Error::Refused { message, .. } = &error else {
            return match error {
                // The frame moved to another process or left the page; the caller finds out which.
                Error::FrameDetached { .. } => Refusal::CutOff,
                other => Refusal::Other(other),
            };
        };
        let says = |sentences: &[&str]| sentences.iter().any(|one| message.contains(one));
        if says(NOT_BEGUN) {
            Refusal::NotBegun
        } else if says(CUT_OFF) {
            Refusal::CutOff
        } else if message.contains("Target crashed") {
            Refusal::Other(Error::PageCrashed)
        } else {
            Refusal::Other(error)
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
