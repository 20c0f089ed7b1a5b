//! `form.select_option`: chooses options of a select element and reads the choice back.

use serde_json::Value;

use crate::Failure;
use crate::acting::act;
use crate::scene::Scene;

pub(crate) async fn perform(scene: Scene<'_>, args: Value) -> Result<Value, Failure> {
    act(&scene, "form.select_option", args).await
}
