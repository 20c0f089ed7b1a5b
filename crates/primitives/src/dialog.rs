//! A dialog as outputs and evidence show it.

use actions_browser::{Dialog, Page};
use serde::Serialize;

/// The longest message of a dialog that is shown, in characters.
const LONGEST: usize = 2000;

/// A dialog as outputs and evidence show it. Its text is the page's and stays data.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ShownDialog {
    #[serde(rename = "type")]
    kind: &'static str,
    message: String,
    url: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    default_prompt: Option<String>,
}

impl From<&Dialog> for ShownDialog {
    fn from(dialog: &Dialog) -> Self {
        Self {
            kind: dialog.kind.as_str(),
            message: dialog.message.chars().take(LONGEST).collect(),
            url: dialog.url.clone(),
            default_prompt: dialog.default_prompt.clone(),
        }
    }
}

/// The dialog that is open on a page.
pub(crate) fn open_dialog(page: &dyn Page) -> Option<ShownDialog> {
    page.dialog().as_ref().map(ShownDialog::from)
}
