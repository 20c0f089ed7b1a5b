//! `task.list`: lists the tasks of the queue.

use serde::Deserialize;

use crate::Failure;
use crate::scene::Scene;
use crate::services::TaskList;

#[derive(Deserialize)]
pub(crate) struct Args {}

pub(crate) async fn perform(scene: Scene<'_>, _: Args) -> Result<TaskList, Failure> {
    Ok(scene.stage.memory().tasks.list())
}
