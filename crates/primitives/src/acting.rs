//! Performs a primitive with one acting function of the page script.

use serde_json::{Value, json};

use crate::Failure;
use crate::patience::Patience;
use crate::scene::Scene;

/// Calls a function that acts. It may wait for its element for the `timeout_ms` of the primitive.
pub(crate) async fn act(scene: &Scene<'_>, function: &str, mut args: Value) -> Result<Value, Failure> {
    let wish = args.as_object_mut().and_then(|keys| keys.remove("timeout_ms"));
    let patience = Patience::of(scene, wish.and_then(|wish| wish.as_u64()).unwrap_or(0));
    let (path, mut args) = scene.aim(&args, patience).await?;
    args["deadline_ms"] = json!(patience.left_ms(scene));
    scene.finish_in(&path.frame, function, &args).await
}
