//! The events of a page.

use std::sync::Arc;

use super::{ConsoleMessage, Download, FailedRequest, Page, PageSignal, UncaughtException};
use crate::{Dialog, FrameId, Navigated};

/// An event of a page, sent to every subscriber of [`Lifecycle::events`](super::Lifecycle::events).
#[derive(Clone)]
#[non_exhaustive]
pub enum PageEvent {
    /// A frame shows a new document, or its address changed within the document.
    Navigated(Navigated),
    /// A frame was removed from the page.
    FrameDetached(FrameId),
    /// A dialog opened and blocks the page.
    DialogOpened(Dialog),
    /// The dialog was closed.
    DialogClosed,
    /// The page opened another page.
    Opened(Arc<dyn Page>),
    /// A download began, completed or was cancelled.
    Download(Download),
    /// A file chooser was about to open and was suppressed: files are set with
    /// [`UserInput::set_files`](super::UserInput::set_files).
    FileChooser {
        /// The frame of the file input.
        frame: FrameId,
        /// Whether several files can be chosen.
        multiple: bool,
        /// The browser's number of the file field, which need not be in the document; `None` for a chooser that belongs to
        /// none.
        field: Option<i64>,
    },
    /// A frame of the page, or the browser on its behalf, wrote to the console.
    Console(ConsoleMessage),
    /// A script in a frame of the page threw an exception that nothing caught.
    Exception(UncaughtException),
    /// A request of a frame of the page failed.
    RequestFailed(FailedRequest),
    /// The page reported more console messages, exceptions or failed requests than are passed on per second.
    ReportsDropped {
        /// How many were dropped since the last such event.
        count: u64,
    },
    /// The page sent an event that a caller wants to hear of, or a person used an attachment.
    Signal(PageSignal),
    /// A script of the page called a function that it was given.
    Asked {
        /// The name of the function.
        binding: String,
        /// What it was called with. It is the page's word: treat it as data.
        payload: String,
    },
    /// The page's process crashed.
    Crashed,
    /// The process of a frame crashed; the page lives on.
    FrameCrashed(FrameId),
    /// The page was closed, or its browser is lost. No event follows.
    Closed,
}

impl PageEvent {
    /// Whether the event only reports what the page said or failed to load. The page itself did not change.
    pub fn is_report(&self) -> bool {
        matches!(
            self,
            PageEvent::Console(_)
                | PageEvent::Exception(_)
                | PageEvent::RequestFailed(_)
                | PageEvent::ReportsDropped { .. }
                | PageEvent::Signal(_)
                | PageEvent::Asked { .. }
        )
    }
}

impl std::fmt::Debug for PageEvent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            PageEvent::Navigated(navigated) => f.debug_tuple("Navigated").field(navigated).finish(),
            PageEvent::FrameDetached(frame) => f.debug_tuple("FrameDetached").field(frame).finish(),
            PageEvent::DialogOpened(dialog) => f.debug_tuple("DialogOpened").field(dialog).finish(),
            PageEvent::DialogClosed => f.write_str("DialogClosed"),
            PageEvent::Opened(page) => f.debug_tuple("Opened").field(&page.url()).finish(),
            PageEvent::Download(download) => f.debug_tuple("Download").field(download).finish(),
            PageEvent::FileChooser { frame, multiple, field } => f
                .debug_struct("FileChooser")
                .field("frame", frame)
                .field("multiple", multiple)
                .field("field", field)
                .finish(),
            PageEvent::Console(message) => f.debug_tuple("Console").field(message).finish(),
            PageEvent::Exception(exception) => f.debug_tuple("Exception").field(exception).finish(),
            PageEvent::RequestFailed(request) => f.debug_tuple("RequestFailed").field(request).finish(),
            PageEvent::ReportsDropped { count } => {
                f.debug_struct("ReportsDropped").field("count", count).finish()
            }
            PageEvent::Signal(signal) => f.debug_tuple("Signal").field(signal).finish(),
            PageEvent::Asked { binding, .. } => f.debug_tuple("Asked").field(binding).finish(),
            PageEvent::FrameCrashed(frame) => f.debug_tuple("FrameCrashed").field(frame).finish(),
            PageEvent::Crashed => f.write_str("Crashed"),
            PageEvent::Closed => f.write_str("Closed"),
        }
    }
}
