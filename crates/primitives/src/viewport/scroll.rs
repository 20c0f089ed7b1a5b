//! `viewport.scroll`: scrolls the page, a container, or an element into view.

use serde::{Deserialize, Serialize};
use serde_json::{Number, Value};

use crate::Failure;
use crate::patience::Patience;
use crate::scene::Scene;

#[derive(Deserialize, Serialize)]
pub(crate) struct Output {
    moved: bool,
    target: String,
    before: Position,
    after: Position,
    delta_x: Number,
    delta_y: Number,
    at_end: bool,
}

/// How far something is scrolled, in CSS pixels.
#[derive(Deserialize, Serialize)]
struct Position {
    scroll_x: Number,
    scroll_y: Number,
}

pub(crate) async fn perform(scene: Scene<'_>, args: Value) -> Result<Output, Failure> {
    let (path, args) = scene.aim(&args, Patience::of(&scene, 0)).await?;
    scene.finish_in(&path.frame, "viewport.scroll", &args).await
}
