//! Going from document to document.

use std::fmt;

use crate::FrameId;

/// How far a document must have come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LoadState {
    /// The new document has taken the place of the old one.
    Commit,
    /// It is parsed and its deferred scripts have run.
    DomContentLoaded,
    /// Its images, styles and frames have loaded too.
    #[default]
    Load,
}

impl LoadState {
    /// The state as a word.
    pub fn as_str(self) -> &'static str {
        match self {
            LoadState::Commit => "commit",
            LoadState::DomContentLoaded => "domcontentloaded",
            LoadState::Load => "load",
        }
    }
}

/// A moment in the history of a page: navigations after it are new.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct NavigationMark(pub(crate) u64);

/// A navigation that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Navigated {
    /// The frame.
    pub frame: FrameId,
    /// Its address now.
    pub url: String,
    /// Whether the document stayed: a fragment, or the history API.
    pub same_document: bool,
    /// Whether the page went on to another document by itself before the one asked for was as far as wanted.
    pub redirected_by_page: bool,
    /// The HTTP status of the response that the document came with, if it came over HTTP and the status is known.
    pub status: Option<u16>,
}

/// Why a page could not be loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NavigationFailure {
    /// The network or the browser refused, in Chromium's words, such as `net::ERR_CONNECTION_REFUSED`.
    Network(String),
    /// The address is no address.
    InvalidUrl,
    /// The address led to a download; the page stays where it was.
    Download,
    /// The server had nothing to show, or the page stopped the navigation; the page stays where it was.
    Aborted,
    /// Another navigation took its place before it came to a document.
    Superseded {
        /// The address of the other navigation.
        by: String,
    },
    /// The browser shows its own page for an address that could not be reached.
    Unreachable,
    /// The page asked whether it may be left, and the dialog was dismissed; the page stays where it was.
    Stayed,
    /// There is no entry in this direction.
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
                f.write_str("the page asked whether it may be left and was told no; it stays where it was")
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
