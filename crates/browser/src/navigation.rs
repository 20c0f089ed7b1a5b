//! Navigations: load states, results and failures.

use std::fmt;

use crate::FrameId;

/// How far a document has loaded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LoadState {
    /// The new document has replaced the old one.
    Commit,
    /// It is parsed and its deferred scripts have run.
    DomContentLoaded,
    /// Its images, styles and frames have loaded too.
    #[default]
    Load,
}

impl LoadState {
    /// The name of the state.
    pub fn as_str(self) -> &'static str {
        match self {
            LoadState::Commit => "commit",
            LoadState::DomContentLoaded => "domcontentloaded",
            LoadState::Load => "load",
        }
    }
}

/// A position in the sequence of navigations of a page, to detect later ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct NavigationMark(pub(crate) u64);

/// A completed navigation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Navigated {
    /// The frame.
    pub frame: FrameId,
    /// Its current address.
    pub url: String,
    /// Whether the document stayed the same: a change of the fragment, or the history API.
    pub same_document: bool,
    /// Whether the page navigated to another document by itself before the requested one had loaded far enough.
    pub redirected_by_page: bool,
    /// The HTTP status of the response that the document came with, if it came over HTTP and the status is known.
    pub status: Option<u16>,
}

/// Why a navigation failed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NavigationFailure {
    /// An error of the network or the browser, such as `net::ERR_CONNECTION_REFUSED`.
    Network(String),
    /// The URL is invalid.
    InvalidUrl,
    /// The URL started a download; the page keeps its document.
    Download,
    /// The server sent no content, or the page stopped the navigation; the page keeps its document.
    Aborted,
    /// Another navigation replaced it before its document was committed.
    Superseded {
        /// The URL of the other navigation.
        by: String,
    },
    /// The browser shows its error page.
    Unreachable,
    /// The `beforeunload` dialog of the page was dismissed; the page keeps its document.
    Stayed,
    /// The history has no entry in this direction.
    EndOfHistory,
    /// The document came with an HTTP error status.
    HttpStatus(u16),
}

impl fmt::Display for NavigationFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NavigationFailure::Network(text) => f.write_str(text),
            NavigationFailure::InvalidUrl => {
                f.write_str("it is not a whole address, such as https://example.com/")
            }
            NavigationFailure::Download => f.write_str("it is a download, not a page"),
            NavigationFailure::Aborted => {
                f.write_str("there was nothing to show; the page stays where it was")
            }
            NavigationFailure::Superseded { by } => {
                write!(f, "another navigation, to {by}, took its place")
            }
            NavigationFailure::Unreachable => f.write_str("it could not be reached"),
            NavigationFailure::Stayed => {
                f.write_str("the page asked for confirmation before leaving, and the dialog was dismissed")
            }
            NavigationFailure::EndOfHistory => {
                f.write_str("there is no entry in this direction of the history")
            }
            NavigationFailure::HttpStatus(status) => {
                write!(f, "the server answered with the HTTP status {status}")
            }
        }
    }
}
