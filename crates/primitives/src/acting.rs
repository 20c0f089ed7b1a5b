//! Acting through one function of the page script.

use serde_json::{Value, json};

use crate::Failure;
use crate::scene::Scene;

/// Calls a function that acts, with the primitive's `timeout_ms` as the time it may wait for its element.
pub(crate) async fn act(scene: &Scene<'_>, function: &str, args: Value) -> Result<Value, Failure> {
    let (path, mut args) = scene.aim(&args).await?;
    if let Some(keys) = args.as_object_mut() {
        let wish = keys.remove("timeout_ms").and_then(|wish| wish.as_u64()).unwrap_or(0);
        let left = u64::try_from(scene.left().as_millis()).unwrap_or(u64::MAX);
        keys.insert("deadline_ms".to_owned(), json!(wish.min(left)));
    }
    scene.act_in(&path.frame, function, &args).await
}
