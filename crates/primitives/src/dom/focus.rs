//! `dom.focus`: gives an element the focus without touching its content.

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::Failure;
use crate::locate::Locator;
use crate::matched::Located;
use crate::patience::Patience;
use crate::scene::Scene;

#[derive(Deserialize)]
pub(crate) struct Args {
    locator: Locator,
    timeout_ms: u64,
}

#[derive(Deserialize, Serialize)]
pub(crate) struct Output {
    focused: bool,
    tag_name: String,
    active_is_target: bool,
    selection_preserved: bool,
    selection_before_length: u64,
    selection_after_length: u64,
    #[serde(flatten)]
    located: Located,
}

pub(crate) async fn perform(scene: Scene<'_>, args: Args) -> Result<Output, Failure> {
    let patience = Patience::of(&scene, args.timeout_ms);
    let path = scene.path(args.locator.frames(), patience).await?;
    let question = json!({ "locator": args.locator.query(), "deadline_ms": patience.left_ms(&scene) });
    scene.finish_in(&path.frame, "dom.focus", &question).await
}
