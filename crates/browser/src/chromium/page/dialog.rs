//! Answers the dialogs of a page, on request or by policy.

use std::time::Duration;

use async_trait::async_trait;
use chromiumoxide_cdp::cdp::browser_protocol::page::HandleJavaScriptDialogParams;

use super::ChromiumPage;
use super::refusal::is_without_dialog;
use super::state::State;
use super::wait::WhileDialogOpen;
use crate::{AnsweredDialog, Deadline, Dialog, DialogAnswer, DialogKind, DialogPolicy, Dialogs, Error};

/// How long the browser may take to accept the answer of a policy.
const POLICY_ANSWER_TIMEOUT: Duration = Duration::from_secs(5);

#[async_trait]
impl Dialogs for ChromiumPage {
    fn dialog(&self) -> Option<Dialog> {
        self.state().dialog.clone()
    }

    fn set_dialog_policy(&self, policy: DialogPolicy) -> DialogPolicy {
        self.update_and_answer_dialog(|state| std::mem::replace(&mut state.dialog_policy, policy))
    }

    async fn answer_dialog(&self, answer: DialogAnswer, deadline: Deadline) -> Result<(), Error> {
        let suggestion = {
            let mut state = self.state();
            state.progress.start_in_order();
            match (&state.ended, &state.dialog) {
                (Some(error), _) => return Err(error.clone()),
                (None, None) => return Err(Error::NoDialog),
                (None, Some(_)) => state.suggestion.clone(),
            }
        };
        self.session.send(command(suggestion, answer), deadline).await.map_err(|error| match error {
            // A navigation of the page may have closed the dialog.
            error if is_without_dialog(&error) => Error::NoDialog,
            other => other,
        })?;
        // The next dialog may already be open; this one is closed either way.
        let waits_for = |_: &_| ("the end of the dialog".to_owned(), None);
        self.until_with(deadline, waits_for, WhileDialogOpen::Wait, |_| Some(Ok(()))).await
    }

    fn take_answered(&self) -> Vec<AnsweredDialog> {
        std::mem::take(&mut self.state().answered_dialogs)
    }
}

impl ChromiumPage {
    /// Changes the state, then answers the open dialog if the policy covers it. No waiter sees the state in between.
    pub(super) fn update_and_answer_dialog<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        let (changed, answered) = self.update(|state| (change(state), state.answer_dialog_by_policy()));
        if let Some((suggestion, answer)) = answered {
            let deadline = Deadline::after(&**self.clock(), POLICY_ANSWER_TIMEOUT);
            // The browser refuses this only if the dialog is already closed.
            std::mem::drop(self.session.send(command(suggestion, answer), deadline));
        }
        changed
    }
}

impl State {
    /// Removes the open dialog if the policy covers it. Returns the text the dialog suggested, and the answer.
    fn answer_dialog_by_policy(&mut self) -> Option<(Option<String>, DialogAnswer)> {
        let kind = self.dialog.as_ref()?.kind;
        let answer = self.dialog_policy.answer(kind)?;
        if kind == DialogKind::BeforeUnload && answer == DialogAnswer::Dismiss {
            self.stayed = self.next();
        }
        let dialog = self.dialog.take()?;
        AnsweredDialog { dialog, answer: answer.clone() }.keep(&mut self.answered_dialogs);
        self.progress.start_in_order();
        Some((self.suggestion.take(), answer))
    }
}

fn command(suggestion: Option<String>, answer: DialogAnswer) -> HandleJavaScriptDialogParams {
    let (accept, prompt_text) = match answer {
        DialogAnswer::Accept { text } => (true, text.or(suggestion)),
        DialogAnswer::Dismiss => (false, None),
    };
    HandleJavaScriptDialogParams { accept, prompt_text }
}
