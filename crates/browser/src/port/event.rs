//! What happens to a page.

use std::sync::Arc;

use super::{Download, Page};
use crate::{Dialog, FrameId, Navigated};

/// What happens to a page, told to everyone who listens.
#[derive(Clone)]
pub enum PageEvent {
    /// A frame shows a new document, or its address changed within the document.
    Navigated(Navigated),
    /// A frame left the page.
    FrameDetached(FrameId),
    /// A dialog opened and blocks the page.
    DialogOpened(Dialog),
    /// The dialog is gone.
    DialogClosed,
    /// The page opened another page.
    Opened(Arc<dyn Page>),
    /// A download began, completed or was cancelled.
    Download(Download),
    /// A file chooser was about to open; it was not, because files are set with
    /// [`Page::set_files`](super::Page::set_files).
    FileChooser {
        /// The frame of the file input.
        frame: FrameId,
        /// Whether several files can be chosen.
        multiple: bool,
    },
    /// The page's process crashed.
    Crashed,
    /// The process of a frame crashed; the page lives on.
    FrameCrashed(FrameId),
    /// The page was closed, or its browser is gone. Nothing follows.
    Closed,
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
            PageEvent::FileChooser { frame, multiple } => {
                f.debug_struct("FileChooser").field("frame", frame).field("multiple", multiple).finish()
            }
            PageEvent::FrameCrashed(frame) => f.debug_tuple("FrameCrashed").field(frame).finish(),
            PageEvent::Crashed => f.write_str("Crashed"),
            PageEvent::Closed => f.write_str("Closed"),
        }
    }
}
