//! The dialogs of a page: `alert`, `confirm`, `prompt` and `beforeunload`.

use async_trait::async_trait;

use crate::{AnsweredDialog, Deadline, Dialog, DialogAnswer, DialogPolicy, Error};

/// The dialogs of a page: `alert`, `confirm`, `prompt` and `beforeunload`.
#[async_trait]
pub trait Dialogs: Send + Sync {
    /// The dialog that blocks the page.
    fn dialog(&self) -> Option<Dialog>;

    /// Sets which dialogs are answered as they open, answers the open one if the policy covers it, and returns the
    /// previous policy. A dialog that the policy answers ends no wait.
    fn set_dialog_policy(&self, policy: DialogPolicy) -> DialogPolicy;

    /// Answers the open dialog and waits until it is closed.
    async fn answer_dialog(&self, answer: DialogAnswer, deadline: Deadline) -> Result<(), Error>;

    /// Removes and returns the dialogs that the policy has answered since the last call.
    fn take_answered(&self) -> Vec<AnsweredDialog>;
}
