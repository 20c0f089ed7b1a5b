//! `task.add`: adds tasks to the queue of the session.

use actions_protocol::ErrorCode;
use serde::{Deserialize, Serialize};

use crate::Failure;
use crate::scene::Scene;
use crate::services::Task;

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Args {
    Text(String),
    Tasks(Vec<String>),
}

#[derive(Serialize)]
pub(crate) struct Output {
    added: Vec<Task>,
    total: usize,
    pending: usize,
}

pub(crate) async fn perform(scene: Scene<'_>, args: Args) -> Result<Output, Failure> {
    let texts = match args {
        Args::Text(text) => vec![text],
        Args::Tasks(texts) => texts,
    };
    if let Some(index) = texts.iter().position(|text| text.trim().is_empty()) {
        let message = format!("task {index} has no text");
        return Err(Failure::new(ErrorCode::InvalidTask, message).with_evidence("index", index));
    }
    let tasks = &scene.stage.memory().tasks;
    let added = tasks.add(texts).ok_or_else(|| {
        Failure::new(ErrorCode::InvalidTask, "the queue has no room for so many tasks")
            .with_evidence("total", tasks.list().total)
            .with_evidence("hint", "empty the queue with `task.clear`")
    })?;
    let list = tasks.list();
    Ok(Output { added, total: list.total, pending: list.pending })
}
