//! Waiting: every wait races its deadline, a dialog, and the loss of the page.

use std::collections::VecDeque;
use std::sync::PoisonError;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use super::ChromiumPage;
use super::input::Taken;
use super::state::State;
use crate::cdp::Pending;
use crate::{Deadline, Error};

impl ChromiumPage {
    /// Waits for an answer of the page's process; a dialog ends the wait, because no answer comes while it is open.
    pub(super) async fn answer<T>(
        &self,
        pending: impl Future<Output = Result<T, Error>>,
    ) -> Result<T, Error> {
        tokio::select! {
            biased;
            answer = pending => answer,
            blocked = self.blocked_by_dialog() => Err(blocked),
        }
    }

    /// Waits until the page has taken input that was sent one behind the other.
    pub(super) async fn answers(&self, sent: Vec<Pending<Taken>>) -> Result<(), Error> {
        let mut untaken = Untaken { page: self, sent: sent.into() };
        while let Some(next) = untaken.sent.front_mut() {
            let taken = self.answer(next).await;
            match taken {
                Ok(_) => drop(untaken.sent.pop_front()),
                Err(error) => {
                    untaken.sent.clear();
                    return Err(error);
                }
            }
        }
        Ok(())
    }

    /// Has the next question to the page wait for input nobody else waits for.
    pub(super) fn leave_untaken(&self, sent: impl IntoIterator<Item = BoxFuture<'static, ()>>) {
        self.untaken.lock().unwrap_or_else(PoisonError::into_inner).extend(sent);
    }

    /// Waits for input that was sent by somebody who is gone: its events belong to no later gesture.
    pub(super) async fn taken_so_far(&self, deadline: Deadline) {
        tokio::select! {
            biased;
            () = self.take_untaken() => {}
            _ = self.blocked_by_dialog() => {}
            () = self.clock().sleep_until(deadline.at()) => {}
        }
    }

    /// Questions that go out together wait together; each no longer than its own deadline, for who waits for the other
    /// too.
    async fn take_untaken(&self) {
        let mut taking = self.taking.lock().await;
        taking.extend(self.untaken.lock().unwrap_or_else(PoisonError::into_inner).drain(..));
        if taking.is_empty() {
            return;
        }
        while let Some(next) = taking.front_mut() {
            // Whether it was taken, or never will be, it is over.
            next.await;
            taking.pop_front();
        }
        self.state().told.take();
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

/// Input the page has not taken yet; what is left of it when nobody waits any more is not forgotten.
struct Untaken<'p> {
    page: &'p ChromiumPage,
    sent: VecDeque<Pending<Taken>>,
}

impl Drop for Untaken<'_> {
    fn drop(&mut self) {
        if !self.sent.is_empty() {
            self.page.leave_untaken(self.sent.drain(..).map(|sent| sent.map(drop).boxed()));
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
