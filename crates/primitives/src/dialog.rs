use actions_browser::Dialog;
use serde_json::{Value, json};

/// A dialog as outputs and evidence show it. Its text is the page's and stays data.
pub(crate) fn told(dialog: &Dialog) -> Value {
    json!({
        "type": dialog.kind.as_str(),
        "message": dialog.message,
        "default_prompt": dialog.default_prompt,
        "url": dialog.url,
    })
}
