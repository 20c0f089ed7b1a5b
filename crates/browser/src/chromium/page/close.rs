//! Closing a page.

use std::convert::Infallible;

use chromiumoxide_cdp::cdp::browser_protocol::target::CloseTargetParams;

use super::ChromiumPage;
use super::wait::Dialogs;
use crate::{Deadline, Error};

impl ChromiumPage {
    /// Closes the page without waiting for anything; what becomes of it is told by its end.
    pub(crate) fn close_unasked(&self) {
        if let Ok(browser) = self.session.connection().browser() {
            browser.send_then(CloseTargetParams::new(self.target.clone()), drop);
        }
    }

    /// Closes the page without asking it; closing a closed page is no error.
    pub(super) async fn close_page(&self, deadline: Deadline) -> Result<(), Error> {
        match self.ending() {
            Some(Error::PageClosed) => return Ok(()),
            Some(error) => return Err(error),
            None => {}
        }
        let browser = self.session.connection().browser()?;
        match browser.send_uncounted(CloseTargetParams::new(self.target.clone()), deadline).await {
            // It closed by itself a moment ago.
            Ok(_) | Err(Error::Refused { .. }) => {}
            Err(error) => return Err(error),
        }
        let gone: Result<Infallible, Error> = self
            .until_even_with_dialog(
                deadline,
                |_| ("the page's end".to_owned(), None),
                Dialogs::AreExpected,
                |_| None,
            )
            .await;
        match gone {
            Err(Error::PageClosed) => Ok(()),
            Err(error) => Err(error),
            Ok(never) => match never {},
        }
    }
}
