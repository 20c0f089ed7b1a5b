//! `clipboard.write`: puts a text on the clipboard.

use actions_protocol::ErrorCode;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::use_clipboard;
use crate::Failure;
use crate::scene::Scene;

#[derive(Deserialize)]
pub(crate) struct Args {
    text: String,
}

#[derive(Deserialize, Serialize)]
pub(crate) struct Output {
    written: bool,
    length: u64,
}

pub(crate) async fn perform(scene: Scene<'_>, args: Args) -> Result<Output, Failure> {
    let question = json!({ "text": args.text });
    use_clipboard(&scene, "clipboard.write", &question, ErrorCode::ClipboardWriteDenied).await
}
