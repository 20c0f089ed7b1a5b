//! Answering dialogs.

use chromiumoxide_cdp::cdp::browser_protocol::page::HandleJavaScriptDialogParams;

use super::ChromiumPage;
use super::wait::Dialogs;
use crate::{Deadline, Dialog, DialogAnswer, Error};

impl ChromiumPage {
    pub(super) fn open_dialog(&self) -> Option<Dialog> {
        self.state().dialog.clone()
    }

    pub(super) async fn handle_dialog(&self, answer: DialogAnswer, deadline: Deadline) -> Result<(), Error> {
        let suggestion = {
            let state = self.state();
            match (&state.ended, &state.dialog) {
                (Some(error), _) => return Err(error.clone()),
                (None, None) => return Err(Error::NoDialog),
                (None, Some(_)) => state.suggestion.clone(),
            }
        };
        let (accept, prompt_text) = match answer {
            DialogAnswer::Accept { text } => (true, text.or(suggestion)),
            DialogAnswer::Dismiss => (false, None),
        };
        let command = HandleJavaScriptDialogParams { accept, prompt_text };
        self.session.send(command, deadline).await.map_err(|error| match error {
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
