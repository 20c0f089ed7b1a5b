//! The life of a page: events, counters, closing.

use std::convert::Infallible;

use async_trait::async_trait;
use chromiumoxide_cdp::cdp::browser_protocol::page::BringToFrontParams;
use chromiumoxide_cdp::cdp::browser_protocol::target::CloseTargetParams;
use tokio::sync::broadcast;

use super::ChromiumPage;
use super::wait::WhileDialogOpen;
use crate::{Counters, Deadline, Download, Error, FrameId, Lifecycle, PageEvent};

#[async_trait]
impl Lifecycle for ChromiumPage {
    fn events(&self) -> broadcast::Receiver<PageEvent> {
        self.events.subscribe()
    }

    fn is_closed(&self) -> bool {
        self.ending().is_some()
    }

    fn opener(&self) -> Option<FrameId> {
        // The id of a page's target is the id of its main frame.
        ChromiumPage::opener(self).map(FrameId::new)
    }

    async fn settle_opened(&self, deadline: Deadline) {
        if let Some(context) = self.context.upgrade() {
            context.settle_opened_by(&self.target, deadline).await;
        }
    }

    fn downloads(&self) -> Result<Vec<Download>, Error> {
        self.refuse_if_blocked()?;
        Ok(self.context.upgrade().map(|context| context.downloads_of(self)).unwrap_or_default())
    }

    async fn close(&self, deadline: Deadline) -> Result<(), Error> {
        match self.ending() {
            Some(Error::PageClosed) => return Ok(()),
            Some(error) => return Err(error),
            None => {}
        }
        let browser = self.session.connection().browser()?;
        match browser.send_uncounted(CloseTargetParams::new(self.target.clone()), deadline).await {
            // The page closed by itself a moment ago.
            Ok(_) | Err(Error::Refused { .. }) => {}
            Err(error) => return Err(error),
        }
        let waits_for = |_: &_| ("the end of the page".to_owned(), None);
        let end: Result<Infallible, Error> =
            self.until_with(deadline, waits_for, WhileDialogOpen::Wait, |_| None).await;
        match end {
            Err(Error::PageClosed) => Ok(()),
            Err(error) => Err(error),
            Ok(never) => match never {},
        }
    }

    async fn bring_to_front(&self, deadline: Deadline) -> Result<(), Error> {
        self.refuse_if_blocked()?;
        self.answer(self.session.send(BringToFrontParams {}, deadline)).await.map(drop)
    }

    fn counters(&self) -> Counters {
        self.session.counters()
    }
}

impl ChromiumPage {
    /// Asks the browser to close the page, and does not wait. The page's `Closed` event follows.
    pub(crate) fn request_close(&self) {
        if let Ok(browser) = self.session.connection().browser() {
            browser.send_then(CloseTargetParams::new(self.target.clone()), drop);
        }
    }
}
