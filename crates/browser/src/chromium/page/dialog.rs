//! Answering dialogs.

use std::time::Duration;

use chromiumoxide_cdp::cdp::browser_protocol::page::HandleJavaScriptDialogParams;

use super::ChromiumPage;
use super::state::State;
use super::wait::Dialogs;
use crate::{AnsweredDialog, Deadline, Dialog, DialogAnswer, DialogKind, DialogPolicy, Error};

/// How long the browser may take to hear the answer of a policy.
const HEARING: Duration = Duration::from_secs(5);

impl ChromiumPage {
    pub(super) fn open_dialog(&self) -> Option<Dialog> {
        self.state().dialog.clone()
    }

    pub(super) fn answer_dialogs_by(&self, policy: DialogPolicy) -> DialogPolicy {
        self.answer_by_policy(|state| std::mem::replace(&mut state.dialog_policy, policy))
    }

    /// Changes the state, and answers the dialog that is open then if the policy does. Nobody sees it in between.
    pub(super) fn answer_by_policy<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        let (changed, answered) = self.update(|state| (change(state), state.answered_dialog()));
        if let Some((suggestion, answer)) = answered {
            let deadline = Deadline::after(&**self.clock(), HEARING);
            // Only a dialog that is gone already can refuse it.
            std::mem::drop(self.session.send(command(suggestion, answer), deadline));
        }
        changed
    }

    pub(super) async fn handle_dialog(&self, answer: DialogAnswer, deadline: Deadline) -> Result<(), Error> {
        let suggestion = {
            let mut state = self.state();
            state.told.stir_at_once();
            match (&state.ended, &state.dialog) {
                (Some(error), _) => return Err(error.clone()),
                (None, None) => return Err(Error::NoDialog),
                (None, Some(_)) => state.suggestion.clone(),
            }
        };
        self.session.send(command(suggestion, answer), deadline).await.map_err(|error| match error {
            // The page may have closed it itself, by navigating.
            Error::Refused { message, .. } if message.contains("No dialog") => Error::NoDialog,
            other => other,
        })?;
        // The next dialog may already be open; this one is over either way.
        self.until_even_with_dialog(
            deadline,
            |_| ("the end of the dialog".to_owned(), None),
            Dialogs::AreExpected,
            |_| Some(Ok(())),
        )
        .await
    }
}

impl State {
    /// Takes the open dialog away if the policy answers it; gives what it suggested, and the answer.
    fn answered_dialog(&mut self) -> Option<(Option<String>, DialogAnswer)> {
        let kind = self.dialog.as_ref()?.kind;
        let answer = self.dialog_policy.answer(kind)?;
        if kind == DialogKind::BeforeUnload && answer == DialogAnswer::Dismiss {
            self.stayed = self.next();
        }
        let dialog = self.dialog.take()?;
        AnsweredDialog { dialog, answer: answer.clone() }.keep(&mut self.answered_dialogs);
        self.told.stir_at_once();
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
