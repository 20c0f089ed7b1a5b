//! Downloads.

use std::path::PathBuf;

use crate::FrameId;

/// What happens when a page starts a download.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum DownloadPolicy {
    /// It is refused, and reported.
    #[default]
    Deny,
    /// It is kept in a folder of the context until the context closes, under a name of the browser's making, and reported.
    Keep {
        /// A download that is larger is ended.
        max_bytes: u64,
    },
}

/// A download a page started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Download {
    /// The browser's own id of the download.
    pub id: String,
    /// The frame that started it.
    pub frame: FrameId,
    /// What is downloaded.
    pub url: String,
    /// The name the page suggests. It is the page's word: never use it as a path.
    pub suggested_name: String,
    /// How far it got.
    pub state: DownloadState,
}

/// How far a download got.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DownloadState {
    /// It has begun.
    Begun,
    /// It is complete, in this file if it was kept.
    Completed(Option<PathBuf>),
    /// It was refused or broke off.
    Cancelled,
    /// It was ended because it is larger than allowed.
    TooLarge {
        /// How many bytes are allowed.
        max_bytes: u64,
    },
}
