//! `form.select_option`: chooses options of a select element and reads the choice back.

use actions_browser::Point;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::Failure;
use crate::acting::act;
use crate::gesture::{enter, reveal};
use crate::patience::Patience;
use crate::scene::Scene;

pub(crate) async fn perform(scene: Scene<'_>, args: Value) -> Result<Value, Failure> {
    if args["locator"].get("frame").is_some() {
        pass_frames(&scene, &args).await?;
    }
    act(&scene, "form.select_option", args).await
}

/// Fails if an element covers the select element in a document around its frame. The script inside the frame cannot see
/// that.
async fn pass_frames(scene: &Scene<'_>, args: &Value) -> Result<(), Failure> {
    #[derive(Deserialize)]
    struct Prepared {
        point: Point,
    }
    let patience = Patience::of(scene, args["timeout_ms"].as_u64().unwrap_or(0));
    let (path, mut question) = scene.aim(&json!({ "locator": args["locator"] }), patience).await?;
    reveal(scene, &path).await?;
    question["deadline_ms"] = json!(patience.left_ms(scene));
    let prepared: Prepared = scene.act_in(&path.frame, "action.prepare", &question).await?;
    enter(scene, &path, prepared.point).await
}
