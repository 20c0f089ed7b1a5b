//! `dom.focus`: gives an element the focus without touching its content.

use serde_json::Value;

use crate::Failure;
use crate::acting::act;
use crate::scene::Scene;

pub(crate) async fn perform(scene: Scene<'_>, args: Value) -> Result<Value, Failure> {
    act(&scene, "dom.focus", args).await
}
