//! `viewport.scroll`: scrolls the page, a container, or an element into view.

use serde_json::Value;

use crate::Failure;
use crate::patience::Patience;
use crate::scene::Scene;

pub(crate) async fn perform(scene: Scene<'_>, args: Value) -> Result<Value, Failure> {
    let (path, args) = scene.aim(&args, Patience::of(&scene, 0)).await?;
    scene.finish_in(&path.frame, "viewport.scroll", &args).await
}
