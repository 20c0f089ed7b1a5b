//! `form.submit`: submits a form with validation and a submit event.

use serde_json::Value;

use crate::Failure;
use crate::acting::act;
use crate::scene::Scene;

pub(crate) async fn perform(scene: Scene<'_>, args: Value) -> Result<Value, Failure> {
    act(&scene, "form.submit", args).await
}
