//! Waiting: every wait races its deadline, a dialog, and the loss of the page.

use super::ChromiumPage;
use super::state::State;
use crate::cdp::Pending;
use crate::{Deadline, Error};
use serde::de::DeserializeOwned;

impl ChromiumPage {
    /// Waits for an answer of the page's process; a dialog ends the wait, because no answer comes while it is open.
    pub(super) async fn answer<T: DeserializeOwned>(&self, pending: Pending<T>) -> Result<T, Error> {
        tokio::select! {
            biased;
            answer = pending => answer,
            blocked = self.blocked_by_dialog() => Err(blocked),
        }
    }

    /// Waits for the answers to commands that were sent one behind the other.
    pub(super) async fn answers<T: DeserializeOwned>(&self, pending: Vec<Pending<T>>) -> Result<(), Error> {
        for one in pending {
            self.answer(one).await?;
        }
        Ok(())
    }

    async fn blocked_by_dialog(&self) -> Error {
        let mut changed = self.changed.subscribe();
        loop {
            if let Some(dialog) = &self.state().dialog {
                return Error::DialogOpen(dialog.clone());
            }
            if changed.changed().await.is_err() {
                std::future::pending::<()>().await;
            }
        }
    }

    /// Waits until `look` sees what it looks for in the state. A closed page and an open dialog end the wait.
    pub(super) async fn until<T>(
        &self,
        deadline: Deadline,
        waited_for: impl Fn(&State) -> (String, Option<String>),
        look: impl FnMut(&State) -> Option<Result<T, Error>>,
    ) -> Result<T, Error> {
        self.until_even_with_dialog(deadline, waited_for, Dialogs::EndTheWait, look).await
    }

    pub(super) async fn until_even_with_dialog<T>(
        &self,
        deadline: Deadline,
        waited_for: impl Fn(&State) -> (String, Option<String>),
        dialogs: Dialogs,
        mut look: impl FnMut(&State) -> Option<Result<T, Error>>,
    ) -> Result<T, Error> {
        let mut changed = self.changed.subscribe();
        let expired = self.clock().sleep_until(deadline.at());
        tokio::pin!(expired);
        loop {
            {
                let state = self.state();
                if let Some(error) = &state.ended {
                    return Err(error.clone());
                }
                if let Some(found) = look(&state) {
                    return found;
                }
                match (&state.dialog, dialogs) {
                    (Some(dialog), Dialogs::EndTheWait) => return Err(Error::DialogOpen(dialog.clone())),
                    (Some(_), Dialogs::AreExpected) | (None, _) => {}
                }
            }
            tokio::select! {
                _ = changed.changed() => {}
                () = &mut expired => {
                    let (waited_for, saw) = waited_for(&self.state());
                    return Err(Error::Timeout { waited_for, limit: deadline.limit(), saw });
                }
            }
        }
    }
}

/// What an open dialog means for a wait.
#[derive(Clone, Copy)]
pub(super) enum Dialogs {
    /// What is waited for cannot come while it is open.
    EndTheWait,
    /// The wait is about the dialog itself.
    AreExpected,
}
