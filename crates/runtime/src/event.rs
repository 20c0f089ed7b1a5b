//! What a runtime reports to its clients.

use actions_engine::{CallError, CallId, Finding, PageId, RunEvent};

use crate::heard_signal::HeardSignal;

/// Why a session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EndReason {
    /// A client ended it.
    Ended,
    /// No call used it for the time that [`RuntimeOptions::idle`](crate::RuntimeOptions::idle) allows.
    Idle,
    /// The runtime closed.
    RuntimeClosed,
}

/// Something that happened in a runtime. Every client that subscribed receives it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum RuntimeEvent {
    /// A session opened.
    SessionOpened {
        /// The session.
        session: String,
    },
    /// A session ended; its pages are closed.
    SessionEnded {
        /// The session.
        session: String,
        /// Why.
        reason: EndReason,
    },
    /// The browser of a session is gone with all pages of the session. Calls that ran have failed with `browser_lost`, and
    /// every later call of the session does.
    BrowserLost {
        /// The session.
        session: String,
        /// What is known about the loss.
        reason: String,
    },
    /// A page of a session opened.
    PageOpened {
        /// The session.
        session: String,
        /// The page.
        page: PageId,
    },
    /// A page of a session closed.
    PageClosed {
        /// The session.
        session: String,
        /// The page.
        page: PageId,
    },
    /// A page shows another document, or its address changed.
    PageNavigated {
        /// The session.
        session: String,
        /// The page.
        page: PageId,
        /// Its address now.
        url: String,
    },
    /// A page sent a signal that a map declares, and its payload fits.
    Signal {
        /// The session.
        session: String,
        /// The page.
        page: PageId,
        /// What was received.
        signal: Box<HeardSignal>,
    },
    /// A page sent a signal whose payload does not fit. Further ones of this name are only counted.
    SignalRejected {
        /// The session.
        session: String,
        /// The page.
        page: PageId,
        /// The signal.
        name: String,
        /// Why.
        error: Box<CallError>,
    },
    /// Events of a page were dropped because it sent too many, and none has passed since.
    SignalsDropped {
        /// The session.
        session: String,
        /// The page.
        page: PageId,
        /// How many.
        count: u64,
    },
    /// An attachment of a page was attached or detached.
    AttachmentsChanged {
        /// The session.
        session: String,
        /// The page.
        page: PageId,
    },
    /// An event of a call.
    Call {
        /// The session.
        session: String,
        /// The page that the call runs on.
        page: PageId,
        /// The event; secrets in it are masked.
        event: Box<RunEvent>,
    },
    /// A call ended.
    CallEnded {
        /// The session.
        session: String,
        /// The page that it ran on.
        page: PageId,
        /// The call.
        call_id: CallId,
        /// Whether it succeeded.
        ok: bool,
    },
    /// The file of a map changed, and sessions use the new version from their next call on.
    MapReloaded {
        /// The file.
        map: String,
    },
    /// The file of a map changed, but the new version is not usable; sessions keep the version they had.
    MapRejected {
        /// The file.
        map: String,
        /// Why, as findings of the validator.
        findings: Vec<Finding>,
        /// Why, in one sentence.
        message: String,
    },
}
