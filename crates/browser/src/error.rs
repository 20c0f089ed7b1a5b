//! Everything that can go wrong between us and the browser.

use std::path::PathBuf;
use std::time::Duration;

use actions_protocol::ErrorCode;

use crate::{Dialog, FrameId, Navigated, NavigationFailure, Refused};

/// Everything that can go wrong between us and the browser.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Error {
    /// There is no browser where it was looked for.
    #[error("{}; {hint}", not_found(.looked))]
    BrowserNotFound {
        /// The places that were looked at, in order.
        looked: Vec<PathBuf>,
        /// How to get one.
        hint: String,
    },
    /// The browser did not start.
    #[error("{} did not start: {reason}{}", .browser.display(), tail(.stderr))]
    LaunchFailed {
        /// The program that was started.
        browser: PathBuf,
        /// What happened.
        reason: String,
        /// The last lines the browser wrote to its standard error.
        stderr: String,
    },
    /// The endpoint could not be attached to.
    #[error("cannot attach to the browser at {endpoint}: {reason}")]
    AttachFailed {
        /// The endpoint as it was given.
        endpoint: String,
        /// What happened.
        reason: String,
    },
    /// The browser is gone.
    #[error("the browser was lost: {reason}")]
    BrowserLost {
        /// How that was noticed.
        reason: String,
    },
    /// The page was closed.
    #[error("the page was closed")]
    PageClosed,
    /// The page's process crashed.
    #[error("the page's process crashed; navigate to bring it back")]
    PageCrashed,
    /// The process of a frame crashed, and the page lives on.
    #[error("the process of frame {frame} crashed; load its document again to bring it back")]
    FrameCrashed {
        /// The frame.
        frame: FrameId,
    },
    /// The frame left the page.
    #[error("the frame {frame} left the page")]
    FrameDetached {
        /// The frame.
        frame: FrameId,
    },
    /// The document went away while something was done in it.
    #[error("the document was replaced while {during}")]
    DocumentReplaced {
        /// What was being done.
        during: String,
    },
    /// A handle points to something that belongs to a document that is gone.
    #[error("the element belongs to a document that is gone")]
    HandleStale,
    /// A dialog blocks the page.
    #[error("{0}")]
    DialogOpen(Dialog),
    /// There is no dialog to answer.
    #[error("no dialog is open")]
    NoDialog,
    /// Something did not happen in time.
    #[error("{waited_for} did not come within {limit:?}{}", saw.as_deref().map(|saw| format!("; last seen: {saw}")).unwrap_or_default())]
    Timeout {
        /// What was waited for.
        waited_for: Awaited,
        /// How long.
        limit: Duration,
        /// What was seen last.
        saw: Option<String>,
    },
    /// The page could not be loaded.
    #[error("cannot open {url}: {reason}")]
    NavigationFailed {
        /// The address that was asked for.
        url: String,
        /// Why it could not be loaded.
        reason: NavigationFailure,
    },
    /// The page would have gone where it may not, or where the recording does not lead.
    #[error("{0}")]
    RequestRefused(Box<Refused>),
    /// Nothing would keep the pages where they belong.
    #[error("the pages cannot be confined: {reason}")]
    ConfinementImpossible {
        /// Why.
        reason: String,
    },
    /// A function of the page script answered with a refusal.
    #[error("{message}")]
    Answered {
        /// The function.
        function: String,
        /// Its code.
        code: ErrorCode,
        /// Its sentence.
        message: String,
        /// What it saw.
        evidence: serde_json::Value,
    },
    /// The page has no function at this path.
    #[error("the page has no function {path}")]
    PageFunctionMissing {
        /// The dotted path.
        path: String,
    },
    /// The element that shows the frame is not rendered, so the frame has no place in the viewport.
    #[error("the frame {frame} is not rendered")]
    FrameNotRendered {
        /// The frame.
        frame: FrameId,
    },
    /// A function in the page threw.
    #[error("{function} failed in the page: {message}")]
    ScriptFailed {
        /// The function.
        function: String,
        /// What it threw.
        message: String,
    },
    /// The browser gave no picture.
    #[error("no screenshot: {reason}")]
    ScreenshotFailed {
        /// What the browser said.
        reason: String,
    },
    /// A file to upload is not there.
    #[error("the file {} cannot be read", .path.display())]
    FileNotFound {
        /// The file.
        path: PathBuf,
    },
    /// The answer is longer than we are willing to read.
    #[error("the answer is longer than {limit} bytes")]
    AnswerTooLarge {
        /// The longest answer that is read.
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
    /// The browser's answer does not fit the protocol we know.
    #[error("the answer to {method} cannot be read: {detail}")]
    AnswerUnreadable {
        /// The command.
        method: String,
        /// What does not fit.
        detail: String,
    },
}

impl Error {
    /// The code a caller may program against.
    pub fn code(&self) -> ErrorCode {
        match self {
            Error::BrowserNotFound { .. } => ErrorCode::BrowserNotFound,
            Error::LaunchFailed { .. } => ErrorCode::BrowserLaunchFailed,
            Error::AttachFailed { .. } => ErrorCode::TransportFailed,
            Error::BrowserLost { .. } => ErrorCode::BrowserLost,
            Error::PageClosed => ErrorCode::PageClosed,
            Error::PageCrashed => ErrorCode::PageCrashed,
            // The page lives on: for a call it is as if the frame had left.
            Error::FrameDetached { .. } | Error::FrameCrashed { .. } => ErrorCode::FrameDetached,
            Error::DocumentReplaced { .. } | Error::HandleStale => ErrorCode::TargetDetached,
            Error::DialogOpen(_) => ErrorCode::DialogOpen,
            Error::NoDialog => ErrorCode::NoDialog,
            Error::Timeout { .. } => ErrorCode::Timeout,
            Error::NavigationFailed { .. } => ErrorCode::NavigationFailed,
            Error::RequestRefused(refused) => refused.code(),
            Error::ConfinementImpossible { .. } => ErrorCode::CapabilityUnavailable,
            Error::Answered { code, .. } => *code,
            Error::PageFunctionMissing { .. } => ErrorCode::MissingHandler,
            Error::FrameNotRendered { .. } => ErrorCode::TargetNotActionable,
            Error::ScriptFailed { .. } => ErrorCode::ScriptFailed,
            Error::ScreenshotFailed { .. } => ErrorCode::ScreenshotFailed,
            Error::FileNotFound { .. } => ErrorCode::FileNotFound,
            Error::AnswerTooLarge { .. } => ErrorCode::PayloadTooLarge,
            Error::Refused { .. } | Error::AnswerUnreadable { .. } => ErrorCode::InternalError,
        }
    }
}

/// One place is named in full; of many, what was looked for there.
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
