//! `task.clear`: empties the queue of tasks.

use serde::{Deserialize, Serialize};

use crate::Failure;
use crate::scene::Scene;

#[derive(Deserialize)]
pub(crate) struct Args {}

#[derive(Serialize)]
pub(crate) struct Output {
    cleared_count: usize,
}

pub(crate) async fn perform(scene: Scene<'_>, _: Args) -> Result<Output, Failure> {
    Ok(Output { cleared_count: scene.stage.memory().tasks.clear() })
}
