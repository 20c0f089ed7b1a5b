//! Navigates in the history of a page.

use chromiumoxide_cdp::cdp::browser_protocol::page::{GetNavigationHistoryParams, NavigationEntry};

use super::ChromiumPage;
use crate::{Deadline, Error, Frames, LoadState, Navigated, NavigationFailure, NavigationMark};

/// A navigation that was seen while waiting for a history entry.
enum Seen {
    /// A new document.
    Document(Navigated),
    /// A same-document navigation: the expected one, or one of the page's own.
    Move { number: u64, navigated: Navigated },
}

impl ChromiumPage {
    /// The entry that lies `steps` from the current one.
    pub(super) async fn history_entry(
        &self,
        steps: i32,
        deadline: Deadline,
    ) -> Result<NavigationEntry, Error> {
        let history = self.answer(self.session.send(GetNavigationHistoryParams {}, deadline)).await?;
        let wanted = history.current_index + i64::from(steps);
        let index = usize::try_from(wanted).ok().filter(|index| *index < history.entries.len());
        match index {
            Some(index) => Ok(history.entries[index].clone()),
            None => Err(Error::NavigationFailed { url: self.url(), reason: NavigationFailure::EndOfHistory }),
        }
    }

    /// Waits until the page shows an entry of its history. The page may change its address by itself meanwhile, so a
    /// same-document navigation counts only if the browser says that it led to the entry.
    pub(super) async fn arrived_at(
        &self,
        entry: &NavigationEntry,
        mark: NavigationMark,
        until: LoadState,
        deadline: Deadline,
    ) -> Result<Navigated, Error> {
        let mut looked_at = mark.0;
        loop {
            let seen = self
                .until(
                    deadline,
                    |state| state.waits_for(until),
                    |state| {
                        if let Some(document) = state.revisit(mark, until) {
                            return Some(document.map(Seen::Document));
                        }
                        let frame = state.main_frame()?;
                        let moved = frame.same_document && frame.navigation > looked_at;
                        let number = frame.navigation;
                        moved.then(|| {
                            state.arrived(true, false).map(|navigated| Seen::Move { number, navigated })
                        })
                    },
                )
                .await?;
            let (number, navigated) = match seen {
                Seen::Document(navigated) => return Ok(navigated),
                Seen::Move { number, navigated } => (number, navigated),
            };
            if self.shows(entry, &navigated.url, deadline).await? {
                return Ok(navigated);
            }
            looked_at = number;
        }
    }

    /// Whether a history entry is the current one and has the address we know. The browser may already show a newer
    /// document, with another address, than the page's process has reported.
    async fn shows(&self, entry: &NavigationEntry, url: &str, deadline: Deadline) -> Result<bool, Error> {
        let asked = self.session.send_uncounted(GetNavigationHistoryParams {}, deadline);
        let history = match self.answer(asked).await {
            Ok(history) => history,
            // Another document is replacing this one.
            Err(Error::Refused { .. }) => return Ok(false),
            Err(error) => return Err(error),
        };
        let current = usize::try_from(history.current_index).ok().and_then(|at| history.entries.get(at));
        Ok(current.is_some_and(|current| current.id == entry.id && current.url == url))
    }
}
