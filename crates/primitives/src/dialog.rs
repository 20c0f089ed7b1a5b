use actions_browser::Dialog;
use serde_json::{Value, json};

/// The longest text of a dialog that is shown.
const LONGEST: usize = 2000;

/// A dialog as outputs and evidence show it. Its text is the page's and stays data.
pub(crate) fn told(dialog: &Dialog) -> Value {
    let message: String = dialog.message.chars().take(LONGEST).collect();
    let mut told = json!({ "type": dialog.kind.as_str(), "message": message, "url": dialog.url });
    if let Some(text) = &dialog.default_prompt {
        told["default_prompt"] = json!(text);
    }
    told
}
