//! `clipboard.paste`: pastes a given content, or that of the clipboard, into an element.

use actions_protocol::ErrorCode;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Content, use_clipboard};
use crate::Failure;
use crate::patience::Patience;
use crate::scene::Scene;
use crate::text::{TextTarget, target_frame};

#[derive(Deserialize)]
pub(crate) struct Args {
    text: Option<String>,
    html: Option<String>,
    target: Option<TextTarget>,
    timeout_ms: u64,
}

#[derive(Serialize)]
pub(crate) struct Output {
    pasted: bool,
    #[serde(flatten)]
    taken: Taken,
    html_provided: bool,
    source: Source,
}

/// What the page script reports.
#[derive(Deserialize, Serialize)]
struct Taken {
    inserted_length: u64,
    default_prevented: bool,
    target_kind: String,
}

/// Where the content came from.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
enum Source {
    Argument,
    SystemClipboard,
}

pub(crate) async fn perform(scene: Scene<'_>, args: Args) -> Result<Output, Failure> {
    let patience = Patience::of(&scene, args.timeout_ms);
    let html_provided = args.html.is_some();
    let is_given = args.text.is_some() || html_provided;
    let (text, html) = match is_given {
        true => (args.text, args.html),
        false => {
            let question = json!({ "rich": true });
            let denied = ErrorCode::ClipboardReadDenied;
            let content: Content = use_clipboard(&scene, "clipboard.read", &question, denied).await?;
            (Some(content.text), Some(content.html).filter(|html| !html.is_empty()))
        }
    };
    let (frame, mut question) = target_frame(&scene, args.target.as_ref(), patience).await?;
    question["deadline_ms"] = json!(patience.left_ms(&scene));
    for (key, content) in [("text", text), ("html", html)] {
        if let Some(content) = content {
            question[key] = json!(content);
        }
    }
    let taken: Taken = scene.finish_in(&frame, "clipboard.paste", &question).await?;
    let source = if is_given { Source::Argument } else { Source::SystemClipboard };
    Ok(Output { pasted: true, taken, html_provided, source })
}
