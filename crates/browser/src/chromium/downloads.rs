//! The downloads of a context: where they are kept, how far they got, and which page they belong to.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::TempDir;

use crate::{Download, DownloadPolicy, DownloadState, Error};

/// How many downloads are kept. The file of an older one is deleted.
const KEPT: usize = 16;

/// The downloads of a context.
#[derive(Debug)]
pub(crate) struct Downloads {
    /// Where they are kept; deleted with the context. `None` if downloads are refused.
    folder: Option<TempDir>,
    max_bytes: u64,
    known: Mutex<VecDeque<Known>>,
    /// The targets of the last pages that closed, with those of the pages that opened them.
    closed: Mutex<VecDeque<(String, Option<String>)>>,
}

/// A download and the pages that it belongs to.
#[derive(Debug)]
struct Known {
    download: Download,
    /// The target of the page that started it; `None` if that page has closed and nobody knows who opened it. The download
    /// then belongs to every page.
    page: Option<String>,
    /// The target of the page that opened that page.
    opener: Option<String>,
}

/// The end of a download.
pub(super) struct Ended {
    pub(super) download: Download,
    /// The targets of the pages that hear of it; every page if there are none.
    pub(super) pages: Vec<String>,
}

impl Downloads {
    pub(super) fn new(policy: &DownloadPolicy) -> Result<Self, Error> {
        let DownloadPolicy::Keep { max_bytes } = policy else {
            return Ok(Self {
                folder: None,
                max_bytes: 0,
                known: Mutex::default(),
                closed: Mutex::default(),
            });
        };
        let folder = tempfile::Builder::new().prefix("actions-download-").tempdir().map_err(|error| {
            let detail = format!("no folder for downloads could be made: {error}");
            Error::AnswerUnreadable { method: "Browser.setDownloadBehavior".to_owned(), detail }
        })?;
        let (known, closed) = (Mutex::default(), Mutex::default());
        Ok(Self { folder: Some(folder), max_bytes: *max_bytes, known, closed })
    }

    /// Where the browser saves them; `None` if it refuses them.
    pub(super) fn folder(&self) -> Option<&Path> {
        self.folder.as_ref().map(TempDir::path)
    }

    /// Remembers who opened a page that has closed.
    pub(super) fn page_closed(&self, page: &str, opener: Option<&str>) {
        let mut closed = self.closed.lock().unwrap_or_else(PoisonError::into_inner);
        if closed.len() == KEPT {
            closed.pop_front();
        }
        closed.push_back((page.to_owned(), opener.map(str::to_owned)));
    }

    /// Who opened a page that has closed, if that is known; `None` if no such page has closed.
    pub(super) fn opener_of_closed(&self, page: &str) -> Option<Option<String>> {
        let closed = self.closed.lock().unwrap_or_else(PoisonError::into_inner);
        closed.iter().find(|(known, _)| known == page).map(|(_, opener)| opener.clone())
    }

    pub(super) fn begun(&self, download: Download, page: Option<&str>, opener: Option<&str>) {
        let mut known = self.known();
        if known.len() == KEPT
            && let Some(Known {
                download: Download { state: DownloadState::Completed(Some(file)), .. }, ..
            }) = known.pop_front()
        {
            // It may be gone already.
            drop(std::fs::remove_file(file));
        }
        known.push_back(Known { download, page: page.map(str::to_owned), opener: opener.map(str::to_owned) });
    }

    /// Notes how far a download got; `ended` is absent while it goes on. Returns its end once. A download that is too large
    /// has ended, whatever the browser still does with it.
    pub(super) fn progressed(&self, id: &str, bytes: u64, ended: Option<DownloadState>) -> Option<Ended> {
        let mut known = self.known();
        let is_open =
            |known: &&mut Known| known.download.id == id && known.download.state == DownloadState::Begun;
        let found = known.iter_mut().find(is_open)?;
        let exceeds = self.folder.is_some() && bytes > self.max_bytes;
        let state = match ended {
            Some(DownloadState::Completed(Some(file))) if exceeds => {
                drop(std::fs::remove_file(file));
                DownloadState::TooLarge { max_bytes: self.max_bytes }
            }
            _ if exceeds => DownloadState::TooLarge { max_bytes: self.max_bytes },
            Some(state) => state,
            None => return None,
        };
        found.download.state = state;
        let pages = found.page.iter().chain(&found.opener).cloned().collect();
        Some(Ended { download: found.download.clone(), pages })
    }

    /// The downloads that a page, or a page that it opened, has started, in order.
    pub(super) fn of_page(&self, page: &str) -> Vec<Download> {
        let known = self.known();
        let own = known.iter().filter(|known| {
            let is_everybodys = known.page.is_none() && known.opener.is_none();
            is_everybodys || [&known.page, &known.opener].iter().any(|one| one.as_deref() == Some(page))
        });
        own.map(|known| known.download.clone()).collect()
    }

    fn known(&self) -> MutexGuard<'_, VecDeque<Known>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
