//! `runtime.agent.memory_clear`: makes the agent forget earlier conversations.

use serde::Serialize;

use super::{Nothing, agent};
use crate::Failure;
use crate::scene::Scene;

#[derive(Serialize)]
pub(crate) struct Output {
    cleared_count: u64,
}

pub(crate) async fn perform(scene: Scene<'_>, _: Nothing) -> Result<Output, Failure> {
    Ok(Output { cleared_count: agent(&scene)?.clear_memory(scene.deadline).await? })
}
