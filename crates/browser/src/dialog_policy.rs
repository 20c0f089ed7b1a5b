//! Who answers the dialogs of a page.

use crate::{DialogAnswer, DialogKind};

/// Which dialogs of a page are answered as they open. Those that are block nobody.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DialogPolicy {
    /// None: a dialog blocks the page until somebody answers it.
    #[default]
    Report,
    /// The ones that ask whether the page may be left: it may not.
    Stay,
    /// All, with Cancel.
    Dismiss,
    /// All, with OK; a prompt gets the text it suggests.
    Accept,
}

impl DialogPolicy {
    /// The answer to a dialog of this kind; none if somebody else must give it.
    pub fn answer(self, kind: DialogKind) -> Option<DialogAnswer> {
        match self {
            DialogPolicy::Report => None,
            DialogPolicy::Stay => (kind == DialogKind::BeforeUnload).then_some(DialogAnswer::Dismiss),
            DialogPolicy::Dismiss => Some(DialogAnswer::Dismiss),
            DialogPolicy::Accept => Some(DialogAnswer::Accept { text: None }),
        }
    }
}
