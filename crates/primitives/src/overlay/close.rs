//! `overlay.close`: closes the overlay, if one is open.

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::Failure;
use crate::scene::Scene;

#[derive(Deserialize)]
pub(crate) struct Args {}

#[derive(Deserialize, Serialize)]
pub(crate) struct Output {
    closed: bool,
}

pub(crate) async fn perform(scene: Scene<'_>, _: Args) -> Result<Output, Failure> {
    scene.act_in(&scene.page().main_frame(), "overlay.close", &json!({})).await
}
