//! `task.next`: takes the next task of the queue.

use serde::{Deserialize, Serialize};

use crate::Failure;
use crate::scene::Scene;
use crate::services::{Task, TaskList};

#[derive(Deserialize)]
pub(crate) struct Args {}

#[derive(Serialize)]
pub(crate) struct Output {
    done: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    task: Option<Task>,
    remaining: usize,
    /// The outcome of all tasks, when none is left.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    outcome: Option<TaskList>,
}

pub(crate) async fn perform(scene: Scene<'_>, _: Args) -> Result<Output, Failure> {
    let tasks = &scene.stage.memory().tasks;
    let task = tasks.next();
    let list = tasks.list();
    let (done, remaining) = (task.is_none(), list.pending);
    Ok(Output { done, remaining, outcome: done.then_some(list), task })
}
