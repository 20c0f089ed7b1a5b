//! `clipboard.copy`: copies the selection of the page with a trusted copy event.

use actions_browser::{Input, Key, Modifiers};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::Failure;
use crate::patience::Patience;
use crate::scene::Scene;
use crate::text::{TextTarget, target_frame};

#[derive(Deserialize)]
pub(crate) struct Args {
    target: Option<TextTarget>,
    timeout_ms: u64,
}

#[derive(Deserialize, Serialize)]
pub(crate) struct Output {
    copied: bool,
    copied_length: u64,
}

pub(crate) async fn perform(scene: Scene<'_>, args: Args) -> Result<Output, Failure> {
    let patience = Patience::of(&scene, args.timeout_ms);
    let (frame, mut question) = target_frame(&scene, args.target.as_ref(), patience).await?;
    question["deadline_ms"] = json!(patience.left_ms(&scene));
    let _: Value = scene.act_in(&frame, "clipboard.prepare_copy", &question).await?;
    scene.page().input(&press_copy(), scene.deadline).await?;
    scene.act_in(&frame, "clipboard.copied", &json!({})).await
}

/// The Copy key, which some keyboards have. Unlike a chord with Control it is a shortcut of no page, and the browser copies
/// by it whatever the system.
fn press_copy() -> Vec<Input> {
    let key = Key {
        key: "Copy".to_owned(),
        code: "Copy".to_owned(),
        commands: vec!["copy".to_owned()],
        ..Key::default()
    };
    vec![
        Input::KeyDown { key: key.clone(), modifiers: Modifiers::NONE, repeat: false },
        Input::KeyUp { key, modifiers: Modifiers::NONE },
    ]
}
