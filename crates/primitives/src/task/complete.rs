//! `task.complete`: marks a task as done or failed.

use actions_protocol::ErrorCode;
use serde::{Deserialize, Serialize};

use crate::Failure;
use crate::scene::Scene;
use crate::services::{Task, TaskStatus};

#[derive(Deserialize)]
pub(crate) struct Args {
    id: Option<String>,
    status: TaskStatus,
    result: Option<String>,
}

#[derive(Serialize)]
pub(crate) struct Output {
    task: Task,
    remaining: usize,
}

pub(crate) async fn perform(scene: Scene<'_>, args: Args) -> Result<Output, Failure> {
    let tasks = &scene.stage.memory().tasks;
    let task =
        tasks.complete(args.id.as_deref(), args.status, args.result).ok_or_else(|| match &args.id {
            Some(id) => Failure::new(ErrorCode::UnknownTask, format!("no task has the id `{id}`")),
            None => Failure::new(ErrorCode::NoActiveTask, "no task is in progress")
                .with_evidence("hint", "take one with `task.next`, or name one by its `id`"),
        })?;
    Ok(Output { task, remaining: tasks.list().pending })
}
