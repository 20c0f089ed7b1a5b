//! The dialogs of a page.

use std::fmt;

/// What kind of dialog a page opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DialogKind {
    /// `alert()`: one button.
    Alert,
    /// `confirm()`: yes or no.
    Confirm,
    /// `prompt()`: a line of text.
    Prompt,
    /// The page asks whether it may be left.
    BeforeUnload,
}

impl DialogKind {
    /// The kind as a word.
    pub fn as_str(self) -> &'static str {
        match self {
            DialogKind::Alert => "alert",
            DialogKind::Confirm => "confirm",
            DialogKind::Prompt => "prompt",
            DialogKind::BeforeUnload => "beforeunload",
        }
    }
}

/// A dialog that blocks its page until it is answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dialog {
    /// Its kind.
    pub kind: DialogKind,
    /// Its text: the page's words, to be treated as data.
    pub message: String,
    /// The text a prompt suggests.
    pub default_prompt: Option<String>,
    /// The address of the document that opened it.
    pub url: String,
}

impl fmt::Display for Dialog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the page's {} dialog is open: {:?}", self.kind.as_str(), self.message)
    }
}

/// How a dialog is answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DialogAnswer {
    /// OK, with the text for a prompt.
    Accept {
        /// The text to give to a prompt; its own suggestion when absent.
        text: Option<String>,
    },
    /// Cancel.
    Dismiss,
}

/// A dialog that was answered by the policy of its page, with the answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnsweredDialog {
    /// The dialog.
    pub dialog: Dialog,
    /// The answer.
    pub answer: DialogAnswer,
}

/// How many dialogs are remembered after they were answered: a page may open them without end.
const ANSWERED_KEPT: usize = 100;

impl AnsweredDialog {
    /// Remembers a dialog, unless there are too many already.
    pub(crate) fn keep(self, answered: &mut Vec<Self>) {
        if answered.len() < ANSWERED_KEPT {
            answered.push(self);
        }
    }
}
