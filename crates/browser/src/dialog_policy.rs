//! Which dialogs of a page are answered automatically.

use crate::{DialogAnswer, DialogKind};

/// Which dialogs of a page are answered when they open. An answered dialog does not block the page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DialogPolicy {
    /// None: a dialog blocks the page until the caller answers it.
    #[default]
    Report,
    /// Only `beforeunload` dialogs, with Cancel: the page stays.
    Stay,
    /// All, with Cancel.
    Dismiss,
    /// All, with OK; a prompt gets its default text.
    Accept,
}

impl DialogPolicy {
    /// The answer to a dialog of this kind; `None` if the caller must answer it.
    pub fn answer(self, kind: DialogKind) -> Option<DialogAnswer> {
        match self {
            DialogPolicy::Report => None,
            DialogPolicy::Stay => (kind == DialogKind::BeforeUnload).then_some(DialogAnswer::Dismiss),
            DialogPolicy::Dismiss => Some(DialogAnswer::Dismiss),
            DialogPolicy::Accept => Some(DialogAnswer::Accept { text: None }),
        }
    }
}
