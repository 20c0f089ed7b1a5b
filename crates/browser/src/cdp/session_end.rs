//! How a session ends, and what that means for its calls.

use std::sync::Arc;

use crate::{Error, FrameId};

/// What a session talks to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Subject {
    /// The browser itself.
    Browser,
    /// A page, by its main frame's process.
    Page,
    /// A frame that lives in a process of its own.
    Frame(FrameId),
    /// A worker.
    Worker,
}

/// Why the calls of a session fail.
#[derive(Clone, Debug)]
pub(crate) enum SessionEnd {
    /// The transport closed: the browser is gone, with everything in it.
    Lost(Arc<str>),
    /// The browser detached the session: its page or frame is gone.
    Detached,
    /// The process behind the session crashed; the session may come back after a navigation.
    Crashed,
}

impl SessionEnd {
    pub(crate) fn error(&self, subject: &Subject) -> Error {
        match (self, subject) {
            (SessionEnd::Lost(reason), _) => Error::BrowserLost { reason: reason.to_string() },
            (SessionEnd::Crashed, Subject::Frame(frame)) => Error::FrameCrashed { frame: frame.clone() },
            (SessionEnd::Crashed, Subject::Browser | Subject::Page | Subject::Worker) => Error::PageCrashed,
            (SessionEnd::Detached, Subject::Frame(frame)) => Error::FrameDetached { frame: frame.clone() },
            (SessionEnd::Detached, Subject::Page | Subject::Worker) => Error::PageClosed,
            (SessionEnd::Detached, Subject::Browser) => {
                Error::BrowserLost { reason: "the browser ended the session".to_owned() }
            }
        }
    }
}
