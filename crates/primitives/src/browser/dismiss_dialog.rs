//! `browser.dismiss_dialog`: accepts or dismisses the open dialog.

use std::time::Duration;

use actions_browser::{Deadline, DialogAnswer};
use actions_protocol::ErrorCode;
use serde::{Deserialize, Serialize};

use crate::Failure;
use crate::dialog::ShownDialog;
use crate::scene::Scene;

#[derive(Deserialize)]
pub(crate) struct Args {
    accept: bool,
    prompt_text: Option<String>,
}

#[derive(Serialize)]
pub(crate) struct Output {
    dismissed: bool,
    accept: bool,
    dialog: ShownDialog,
}

pub(crate) async fn perform(scene: Scene<'_>, args: Args) -> Result<Output, Failure> {
    // If there is none, `answer_dialog` returns the reason: no dialog is open, or the page is gone.
    let dialog = scene.page().dialog();
    let answer = match args.accept {
        true => DialogAnswer::Accept { text: args.prompt_text },
        false => DialogAnswer::Dismiss,
    };
    let deadline = Deadline::after(&*scene.stage.clock(), scene.left().min(Duration::from_secs(10)));
    scene.page().answer_dialog(answer, deadline).await?;
    let dialog = dialog.ok_or_else(|| Failure::new(ErrorCode::NoDialog, "no dialog is open"))?;
    Ok(Output { dismissed: true, accept: args.accept, dialog: ShownDialog::from(&dialog) })
}
