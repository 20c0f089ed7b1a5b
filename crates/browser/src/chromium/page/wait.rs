//! Waiting: every wait ends with its deadline, an open dialog, or the end of the page.

use std::collections::VecDeque;
use std::sync::PoisonError;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use super::ChromiumPage;
use super::input::Acknowledged;
use super::state::State;
use crate::cdp::Pending;
use crate::{Deadline, Error};

impl ChromiumPage {
    /// Waits for a response of the page's process. An open dialog ends the wait: the process does not respond while it is
    /// open.
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

    /// Waits until the page has acknowledged input events, in the order in which they were sent.
    pub(super) async fn acknowledged(&self, sent: Vec<Pending<Acknowledged>>) -> Result<(), Error> {
        let mut unacknowledged = Unacknowledged { page: self, sent: sent.into() };
        while let Some(next) = unacknowledged.sent.front_mut() {
            let answer = self.answer(next).await;
            match answer {
                Ok(_) => drop(unacknowledged.sent.pop_front()),
                Err(error) => {
                    unacknowledged.sent.clear();
                    return Err(error);
                }
            }
        }
        Ok(())
    }

    /// Makes the next script call wait for input whose caller has stopped waiting.
    pub(super) fn abandon_input(&self, sent: impl IntoIterator<Item = BoxFuture<'static, ()>>) {
        self.abandoned.lock().unwrap_or_else(PoisonError::into_inner).extend(sent);
    }

    /// Waits for input whose caller has stopped waiting, so that its events do not reach a later gesture.
    pub(super) async fn drain_abandoned_input(&self, deadline: Deadline) {
        tokio::select! {
            biased;
            () = self.drain() => {}
            _ = self.blocked_by_dialog() => {}
            () = self.clock().sleep_until(deadline.at()) => {}
        }
    }

    /// Concurrent calls share the queue, so that each of them waits for all the input.
    async fn drain(&self) {
        let mut draining = self.draining.lock().await;
        draining.extend(self.abandoned.lock().unwrap_or_else(PoisonError::into_inner).drain(..));
        if draining.is_empty() {
            return;
        }
        while let Some(next) = draining.front_mut() {
            // The input was acknowledged, or never will be.
            next.await;
            draining.pop_front();
        }
        self.update(|state| state.progress.acknowledge());
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

    /// Waits until `look` finds something in the state. The end of the page and an open dialog end the wait.
    pub(super) async fn until<T>(
        &self,
        deadline: Deadline,
        waits_for: impl Fn(&State) -> (String, Option<String>),
        look: impl FnMut(&State) -> Option<Result<T, Error>>,
    ) -> Result<T, Error> {
        self.until_with(deadline, waits_for, WhileDialogOpen::Fail, look).await
    }

    /// Like [`until`](Self::until), with a choice of what an open dialog means.
    pub(super) async fn until_with<T>(
        &self,
        deadline: Deadline,
        waits_for: impl Fn(&State) -> (String, Option<String>),
        while_dialog_open: WhileDialogOpen,
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
                match (&state.dialog, while_dialog_open) {
                    (Some(dialog), WhileDialogOpen::Fail) => return Err(Error::DialogOpen(dialog.clone())),
                    (Some(_), WhileDialogOpen::Wait) | (None, _) => {}
                }
            }
            tokio::select! {
                _ = changed.changed() => {}
                () = &mut expired => {
                    let (waited_for, saw) = waits_for(&self.state());
                    return Err(Error::Timeout { waited_for: waited_for.into(), limit: deadline.limit(), saw });
                }
            }
        }
    }
}

/// Input that the page has not acknowledged yet. If its caller stops waiting, the rest becomes abandoned input.
struct Unacknowledged<'p> {
    page: &'p ChromiumPage,
    sent: VecDeque<Pending<Acknowledged>>,
}

impl Drop for Unacknowledged<'_> {
    fn drop(&mut self) {
        if !self.sent.is_empty() {
            self.page.abandon_input(self.sent.drain(..).map(|sent| sent.map(drop).boxed()));
        }
    }
}

/// What an open dialog means for a wait.
#[derive(Clone, Copy)]
pub(super) enum WhileDialogOpen {
    /// The wait fails: the page cannot go on while the dialog is open.
    Fail,
    /// The wait goes on: it is about the dialog itself.
    Wait,
}
