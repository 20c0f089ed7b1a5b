//! `runtime.agent.user_message`: says something to the agent.

use serde::{Deserialize, Serialize};

use super::agent;
use crate::Failure;
use crate::scene::Scene;
use crate::services::MessageMode;

#[derive(Deserialize)]
pub(crate) struct Args {
    text: String,
    mode: MessageMode,
}

#[derive(Serialize)]
pub(crate) struct Output {
    accepted: bool,
}

pub(crate) async fn perform(scene: Scene<'_>, args: Args) -> Result<Output, Failure> {
    agent(&scene)?.say(&args.text, args.mode, scene.deadline).await?;
    Ok(Output { accepted: true })
}
