//! `clipboard.read`: reads the text on the clipboard.

use actions_protocol::ErrorCode;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Content, use_clipboard};
use crate::Failure;
use crate::scene::Scene;

#[derive(Deserialize)]
pub(crate) struct Args {
    max_chars: u64,
}

#[derive(Serialize)]
pub(crate) struct Output {
    text: String,
    length: u64,
}

pub(crate) async fn perform(scene: Scene<'_>, args: Args) -> Result<Output, Failure> {
    let question = json!({ "max_chars": args.max_chars });
    let content: Content =
        use_clipboard(&scene, "clipboard.read", &question, ErrorCode::ClipboardReadDenied).await?;
    Ok(Output { text: content.text, length: content.length })
}
