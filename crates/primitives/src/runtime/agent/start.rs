//! `runtime.agent.start`: starts the agent that lives beside the session.

use serde::Deserialize;

use super::{Status, agent};
use crate::Failure;
use crate::scene::Scene;

#[derive(Deserialize)]
pub(crate) struct Args {
    text_only: bool,
}

pub(crate) async fn perform(scene: Scene<'_>, args: Args) -> Result<Status, Failure> {
    Ok(Status { status: agent(&scene)?.start(args.text_only, scene.deadline).await? })
}
