//! The error type of this crate and its error codes.

use std::path::PathBuf;
use std::time::Duration;

use actions_protocol::ErrorCode;

use crate::{Dialog, FrameId, Navigated, NavigationFailure, Refused};

/// A failure of the browser, of a page, or of the communication with them.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No browser executable was found.
    #[error("{}; {hint}", not_found(.looked))]
    BrowserNotFound {
        /// The paths that were searched, in order.
        looked: Vec<PathBuf>,
        /// How to install or name one.
        hint: String,
    },
    /// The browser did not start.
    #[error("{} did not start: {reason}{}", .browser.display(), tail(.stderr))]
    LaunchFailed {
        /// The executable.
        browser: PathBuf,
        /// Why.
        reason: String,
        /// The last lines of its standard error.
        stderr: String,
    },
    /// Attaching to a running browser failed.
    #[error("cannot attach to the browser at {endpoint}: {reason}")]
    AttachFailed {
        /// The endpoint that the caller passed.
        endpoint: String,
        /// Why.
        reason: String,
    },
    /// The browser exited or the connection to it broke.
    #[error("the browser was lost: {reason}")]
    BrowserLost {
        /// What ended the connection.
        reason: String,
    },
    /// The page was closed.
    #[error("the page was closed")]
    PageClosed,
    /// The page's process crashed.
    #[error("the page's process crashed; navigate to bring it back")]
    PageCrashed,
    /// The process of a frame crashed; the rest of the page still works.
    #[error("the process of frame {frame} crashed; load its document again to bring it back")]
    FrameCrashed {
        /// The frame.
        frame: FrameId,
    },
    /// The frame was removed from the page.
    #[error("the frame {frame} left the page")]
    FrameDetached {
        /// The frame.
        frame: FrameId,
    },
    /// The document was replaced during an operation in it.
    #[error("the document was replaced while {during}")]
    DocumentReplaced {
        /// The operation.
        during: String,
    },
    /// A handle refers to an object of a document that no longer exists.
    #[error("the element belongs to a document that is gone")]
    HandleStale,
    /// A dialog blocks the page.
    #[error("{0}")]
    DialogOpen(Dialog),
    /// There is no dialog to answer.
    #[error("no dialog is open")]
    NoDialog,
    /// The deadline passed.
    #[error("{waited_for} did not come within {limit:?}{}", saw.as_deref().map(|saw| format!("; last seen: {saw}")).unwrap_or_default())]
    Timeout {
        /// The awaited event or state.
        waited_for: Awaited,
        /// The time limit.
        limit: Duration,
        /// The last observed state.
        saw: Option<String>,
    },
    /// A navigation failed.
    #[error("cannot open {url}: {reason}")]
    NavigationFailed {
        /// The requested URL.
        url: String,
        /// Why.
        reason: NavigationFailure,
    },
    /// A request was blocked: its URL is outside the confinement, or the recording has no answer for it.
    #[error("{0}")]
    RequestRefused(Box<Refused>),
    /// The browser does not know the value of a setting of a context.
    #[error("the browser does not know the {setting} `{value}`")]
    SettingRefused {
        /// The setting.
        setting: &'static str,
        /// The value that the caller passed.
        value: String,
    },
    /// The requested confinement cannot be enforced.
    #[error("the pages cannot be confined: {reason}")]
    ConfinementImpossible {
        /// Why.
        reason: String,
    },
    /// A page script function refused a call.
    #[error("{message}")]
    Answered {
        /// The function.
        function: String,
        /// Its error code.
        code: ErrorCode,
        /// Its message.
        message: String,
        /// Its evidence.
        evidence: serde_json::Value,
    },
    /// The page has no function at this path.
    #[error("the page has no function {path}")]
    PageFunctionMissing {
        /// The dotted path.
        path: String,
    },
    /// The element of the frame is not rendered, so the frame has no position in the viewport.
    #[error("the frame {frame} is not rendered")]
    FrameNotRendered {
        /// The frame.
        frame: FrameId,
    },
    /// A function in the page threw an exception.
    #[error("{function} failed in the page: {message}")]
    ScriptFailed {
        /// The function.
        function: String,
        /// The exception.
        message: String,
    },
    /// The browser took no screenshot.
    #[error("no screenshot: {reason}")]
    ScreenshotFailed {
        /// The browser's message.
        reason: String,
    },
    /// A file to upload does not exist or cannot be read.
    #[error("the file {} cannot be read", .path.display())]
    FileNotFound {
        /// The file.
        path: PathBuf,
    },
    /// The answer is longer than the limit.
    #[error("the answer is longer than {limit} bytes")]
    AnswerTooLarge {
        /// The limit in bytes.
        limit: usize,
    },
    /// The browser refused a command.
    #[error("the browser refused {method}: {message} ({code})")]
    Refused {
        /// The command.
        method: String,
        /// The protocol's code.
        code: i64,
        /// The protocol's message.
        message: String,
    },
    /// The browser's response does not follow the protocol.
    #[error("the answer to {method} cannot be read: {detail}")]
    AnswerUnreadable {
        /// The command.
        method: String,
        /// What is wrong with it.
        detail: String,
    },
}

impl Error {
    /// The stable error code for callers.
    pub fn code(&self) -> ErrorCode {
        match self {
            Error::BrowserNotFound { .. } => ErrorCode::BrowserNotFound,
            Error::LaunchFailed { .. } => ErrorCode::BrowserLaunchFailed,
            Error::AttachFailed { .. } => ErrorCode::TransportFailed,
            Error::BrowserLost { .. } => ErrorCode::BrowserLost,
            Error::PageClosed => ErrorCode::PageClosed,
            Error::PageCrashed => ErrorCode::PageCrashed,
            // The page still works, so callers handle a crashed frame like a removed one.
            Error::FrameDetached { .. } | Error::FrameCrashed { .. } => ErrorCode::FrameDetached,
            Error::DocumentReplaced { .. } | Error::HandleStale => ErrorCode::TargetDetached,
            Error::DialogOpen(_) => ErrorCode::DialogOpen,
            Error::NoDialog => ErrorCode::NoDialog,
            Error::Timeout { .. } => ErrorCode::Timeout,
            Error::NavigationFailed { .. } => ErrorCode::NavigationFailed,
            Error::RequestRefused(refused) => refused.code(),
            Error::SettingRefused { .. } => ErrorCode::WrongUsage,
            Error::ConfinementImpossible { .. } => ErrorCode::CapabilityUnavailable,
            Error::Answered { code, .. } => *code,
            Error::PageFunctionMissing { .. } => ErrorCode::MissingHandler,
            Error::FrameNotRendered { .. } => ErrorCode::TargetNotActionable,
            Error::ScriptFailed { .. } => ErrorCode::ScriptFailed,
            Error::ScreenshotFailed { .. } => ErrorCode::ScreenshotFailed,
            Error::FileNotFound { .. } => ErrorCode::FileNotFound,
            Error::AnswerTooLarge { .. } => ErrorCode::PayloadTooLarge,
            Error::Refused { .. } | Error::AnswerUnreadable { .. } => ErrorCode::BrowserProtocolError,
        }
    }
}

/// Names a single path in full; for many paths, only their file names.
fn not_found(looked: &[PathBuf]) -> String {
    if let [place] = looked {
        return format!("there is no browser at {}", place.display());
    }
    let mut names: Vec<_> = looked.iter().filter_map(|place| place.file_name()?.to_str()).collect();
    let mut seen = std::collections::BTreeSet::new();
    names.retain(|name| seen.insert(*name));
    format!("no Chromium found: there is no {} in the usual places or on PATH", names.join(", "))
}

fn tail(stderr: &str) -> String {
    if stderr.is_empty() { String::new() } else { format!("\n{stderr}") }
}

/// What a wait waited for.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Awaited {
    /// The answer of the browser to a command.
    Answer {
        /// The method of the command.
        method: String,
    },
    /// Something else, as a noun: `the new page`.
    Other(String),
}

impl std::fmt::Display for Awaited {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Answer { method } => write!(f, "the answer to {method}"),
            Self::Other(what) => f.write_str(what),
        }
    }
}

impl From<String> for Awaited {
    fn from(what: String) -> Self {
        Self::Other(what)
    }
}

impl Navigated {
    /// Fails if the document came with an HTTP error status: an error page is not the page that was asked for.
    pub fn refuse_http_error(self) -> Result<Self, Error> {
        match self.status {
            Some(status) if status >= 400 => {
                Err(Error::NavigationFailed { url: self.url, reason: NavigationFailure::HttpStatus(status) })
            }
            _ => Ok(self),
        }
    }
}

#[cfg(test)]
mod tests {
    use actions_protocol::Exit;

    use super::*;

    #[test]
    fn a_wrong_answer_of_the_browser_is_no_defect_of_this_program() {
        let method = || "Page.navigate".to_owned();
        let refused = Error::Refused { method: method(), code: -32000, message: "no".to_owned() };
        let unreadable = Error::AnswerUnreadable { method: method(), detail: "null".to_owned() };
        for error in [refused, unreadable] {
            assert_eq!(error.code().exit(), Exit::Unavailable, "{error}");
        }
    }
}
