//! `runtime.agent.stop`: stops the agent that lives beside the session.

use super::{Nothing, Status, agent};
use crate::Failure;
use crate::scene::Scene;

pub(crate) async fn perform(scene: Scene<'_>, _: Nothing) -> Result<Status, Failure> {
    Ok(Status { status: agent(&scene)?.stop(scene.deadline).await? })
}
