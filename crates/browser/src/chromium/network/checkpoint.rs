//! Pauses the documents of confined pages on the session of the browser itself.
//!
//! When the session that paused a request ends, the browser sends the request. The session of a page ends with its page:
//! a page that is closed at the right moment would send what was about to be refused. The browser's own session ends
//! with our connection.

use std::collections::{HashSet, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use chromiumoxide_cdp::cdp::browser_protocol::browser::GetVersionParams;
use chromiumoxide_cdp::cdp::browser_protocol::fetch::{DisableParams, EnableParams, RequestStage};
use chromiumoxide_cdp::cdp::browser_protocol::network::{ErrorReason, ResourceType};

use tokio::sync::watch;

use super::{RequestPaused, fail, go_on, pattern};
use crate::cdp::Session;
use crate::{Deadline, Error};

/// How many closed pages and contexts are remembered.
const CLOSED_KEPT: usize = 10_000;

/// The interception of documents on the browser's own session.
#[derive(Default)]
pub(crate) struct Checkpoint {
    /// Locked while interception is switched on or off.
    switch: tokio::sync::Mutex<()>,
    /// How many confined contexts have not been closed completely.
    contexts: watch::Sender<usize>,
    closed: Mutex<Closed>,
}

/// The pages and contexts that were closed. A document that one of them still asks for is refused.
#[derive(Default)]
struct Closed {
    pages: Remembered,
    contexts: Remembered,
}

impl Checkpoint {
    /// Pauses documents from now on, for one more confined context. Fails if the browser cannot pause them.
    pub(crate) async fn enter(&self, browser: &Session, deadline: Deadline) -> Result<(), Error> {
        let _switching = self.switch.lock().await;
        if *self.contexts.borrow() == 0 {
            let patterns = Some(vec![pattern(Some(ResourceType::Document), RequestStage::Request)]);
            let command = EnableParams { patterns, handle_auth_requests: None };
            match browser.send_uncounted(command, deadline).await {
                Err(Error::Refused { message, .. }) => {
                    let reason = format!("the browser cannot pause the documents of its pages: {message}");
                    return Err(Error::ConfinementImpossible { reason });
                }
                other => other?,
            };
        }
        self.contexts.send_modify(|contexts| *contexts += 1);
        Ok(())
    }

    /// Counts a confined context whose pages are gone.
    pub(crate) fn leave(&self) {
        self.contexts.send_modify(|contexts| *contexts = contexts.saturating_sub(1));
    }

    /// Ends the interception if no confined context is left.
    pub(crate) async fn rest(&self, browser: &Session, deadline: Deadline) -> Result<(), Error> {
        let _switching = self.switch.lock().await;
        if *self.contexts.borrow() == 0 {
            self.drain(browser, deadline).await?;
            browser.send_uncounted(DisableParams {}, deadline).await?;
        }
        Ok(())
    }

    /// Waits until every confined context is closed and the browser has nothing left that one of them asked for.
    pub(crate) async fn clear(&self, browser: &Session, deadline: Deadline) -> Result<(), Error> {
        let mut contexts = self.contexts.subscribe();
        let closed = async { contexts.wait_for(|contexts| *contexts == 0).await.map(drop) };
        tokio::select! {
            _ = closed => self.drain(browser, deadline).await,
            () = browser.connection().clock().sleep_until(deadline.at()) => Err(Error::Timeout {
                waited_for: "the end of a context".to_owned().into(),
                limit: deadline.limit(),
                saw: None,
            }),
        }
    }

    /// What closed pages asked for last may still be on its way to us. The browser gets the time to pause it, and we get
    /// the time to refuse it.
    async fn drain(&self, browser: &Session, deadline: Deadline) -> Result<(), Error> {
        for _ in 0..2 {
            browser.send_uncounted(GetVersionParams {}, deadline).await?;
        }
        Ok(())
    }

    /// From now on no document of a context is let through, of known pages as of pages that it still opens.
    pub(crate) fn close_context(&self, context: &str, pages: impl Iterator<Item = String>) {
        let mut closed = self.closed();
        closed.contexts.keep(context.to_owned());
        pages.for_each(|page| closed.pages.keep(page));
    }

    /// From now on no document of a page is let through.
    pub(crate) fn close_page(&self, target: &str) {
        self.closed().pages.keep(target.to_owned());
    }

    /// Whether a context was closed.
    pub(crate) fn has_closed(&self, context: &str) -> bool {
        self.closed().contexts.has(context)
    }

    /// Refuses the document of a closed page. `None` if it is none: a page of ours decides, or it is not ours.
    pub(crate) fn refuse_closed(&self, browser: &Session, paused: &RequestPaused) -> Option<()> {
        let is_closed = self.closed().pages.has(&paused.frame_id);
        is_closed.then(|| fail(browser, paused, ErrorReason::Aborted))
    }

    /// Lets a document pass that is none of ours: it belongs to a page of another client, or to an inner frame.
    pub(crate) fn let_pass(&self, browser: &Session, paused: &RequestPaused) {
        go_on(browser, paused);
    }

    fn closed(&self) -> MutexGuard<'_, Closed> {
        self.closed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The last ids of a kind.
#[derive(Default)]
struct Remembered {
    ids: HashSet<String>,
    order: VecDeque<String>,
}

impl Remembered {
    fn keep(&mut self, id: String) {
        if !self.ids.insert(id.clone()) {
            return;
        }
        self.order.push_back(id);
        if self.order.len() > CLOSED_KEPT
            && let Some(oldest) = self.order.pop_front()
        {
            self.ids.remove(&oldest);
        }
    }

    fn has(&self, id: &str) -> bool {
        self.ids.contains(id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_ids_are_remembered_and_the_oldest_forgotten() {
        let mut remembered = Remembered::default();
        for number in 0..=CLOSED_KEPT {
            remembered.keep(number.to_string());
            remembered.keep(number.to_string());
        }
        assert!(!remembered.has("0"));
        assert!(remembered.has("1") && remembered.has(&CLOSED_KEPT.to_string()));
        assert_eq!(remembered.ids.len(), CLOSED_KEPT);
    }
}
