//! `text.select`: selects the content of an element.

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::aim::{TextTarget, target_frame};
use crate::Failure;
use crate::patience::Patience;
use crate::scene::Scene;

#[derive(Deserialize)]
pub(crate) struct Args {
    target: Option<TextTarget>,
    timeout_ms: u64,
}

#[derive(Deserialize, Serialize)]
pub(crate) struct Output {
    selected: bool,
    selected_length: u64,
    target_kind: String,
}

pub(crate) async fn perform(scene: Scene<'_>, args: Args) -> Result<Output, Failure> {
    let patience = Patience::of(&scene, args.timeout_ms);
    let (frame, mut question) = target_frame(&scene, args.target.as_ref(), patience).await?;
    question["deadline_ms"] = json!(patience.left_ms(&scene));
    scene.finish_in(&frame, "text.select", &question).await
}
