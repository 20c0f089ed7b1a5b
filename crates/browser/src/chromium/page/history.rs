//! Back, forward, and again.

use chromiumoxide_cdp::cdp::browser_protocol::page::{
    GetNavigationHistoryParams, NavigateToHistoryEntryParams, ReloadParams,
};

use super::ChromiumPage;
use crate::{Deadline, Error, LoadState, Navigated, NavigationFailure};

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
        self.navigated_since(mark, until, deadline).await
    }

    pub(super) async fn load_again(&self, until: LoadState, deadline: Deadline) -> Result<Navigated, Error> {
        self.refuse_if_ended_or_dialog()?;
        let mark = self.mark();
        self.answer(self.session.send(ReloadParams::default(), deadline)).await?;
        self.navigated_since(mark, until, deadline).await
    }
}
