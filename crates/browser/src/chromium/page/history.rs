//! Back, forward, and again.

use chromiumoxide_cdp::cdp::browser_protocol::page::{
    GetNavigationHistoryParams, NavigateToHistoryEntryParams, NavigationEntry, ReloadParams,
};

use super::ChromiumPage;
use crate::{Deadline, Error, LoadState, Navigated, NavigationFailure, NavigationMark};

/// What was seen of a move in the history.
enum Seen {
    /// The document that it brought.
    Document(Navigated),
    /// A move within the document: the one that is waited for, or one of the page's own.
    Move { number: u64, navigated: Navigated },
}

impl ChromiumPage {
    pub(super) async fn go_in_history(
        &self,
        steps: i32,
        until: LoadState,
        deadline: Deadline,
    ) -> Result<Navigated, Error> {
        self.refuse_if_ended_or_dialog()?;
        let history = self.answer(self.session.send(GetNavigationHistoryParams {}, deadline)).await?;
        let wanted = history.current_index + i64::from(steps);
        let entry = usize::try_from(wanted).ok().and_then(|index| history.entries.get(index));
        let Some(entry) = entry else {
            let url = self.state().main_frame().map(|frame| frame.url.clone()).unwrap_or_default();
            return Err(Error::NavigationFailed { url, reason: NavigationFailure::EndOfHistory });
        };
        let mark = self.mark();
        let going = self.session.send(NavigateToHistoryEntryParams::new(entry.id), deadline);
        self.answer(going).await?;
        self.arrived_at(entry, mark, until, deadline).await
    }

    pub(super) async fn load_again(&self, until: LoadState, deadline: Deadline) -> Result<Navigated, Error> {
        self.refuse_if_ended_or_dialog()?;
        let mark = self.mark();
        self.answer(self.session.send(ReloadParams::default(), deadline)).await?;
        self.revisited_since(mark, until, deadline).await
    }

    /// Waits until the page shows an entry of its history. A page may move its address by itself all the while, so a
    /// move within the document counts only if the browser says that it led to the entry.
    async fn arrived_at(
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

    /// Whether an entry of the history is the current one, and its address is the one we know. The page's process may
    /// be behind the browser: a document that has just taken the place of this one has another address.
    async fn shows(&self, entry: &NavigationEntry, url: &str, deadline: Deadline) -> Result<bool, Error> {
        let asked = self.session.send_uncounted(GetNavigationHistoryParams {}, deadline);
        let history = match self.answer(asked).await {
            Ok(history) => history,
            // Another document is just taking the place of this one.
            Err(Error::Refused { .. }) => return Ok(false),
            Err(error) => return Err(error),
        };
        let current = usize::try_from(history.current_index).ok().and_then(|at| history.entries.get(at));
        Ok(current.is_some_and(|current| current.id == entry.id && current.url == url))
    }
}
