//! `browser.dismiss_dialog`: answers the dialog the page has opened.

use std::time::Duration;

use actions_browser::{Deadline, DialogAnswer};
use actions_protocol::ErrorCode;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::Failure;
use crate::scene::Scene;

#[derive(Deserialize)]
pub(crate) struct Args {
    accept: bool,
    prompt_text: Option<String>,
}

pub(crate) async fn perform(scene: Scene<'_>, args: Args) -> Result<Map<String, Value>, Failure> {
    // Without one, the page itself says why: it has none, or is gone.
    let dialog = scene.page().dialog();
    let answer = match args.accept {
        true => DialogAnswer::Accept { text: args.prompt_text },
        false => DialogAnswer::Dismiss,
    };
    let deadline = Deadline::after(&*scene.stage.clock(), scene.left().min(Duration::from_secs(10)));
    scene.page().answer_dialog(answer, deadline).await?;
    let dialog = dialog.ok_or_else(|| Failure::new(ErrorCode::NoDialog, "no dialog is open"))?;
    let mut output = Map::new();
    output.insert("dismissed".to_owned(), json!(true));
    output.insert("accept".to_owned(), json!(args.accept));
    output.insert("dialog".to_owned(), crate::dialog::told(&dialog));
    Ok(output)
}
