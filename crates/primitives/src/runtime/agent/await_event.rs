//! `runtime.agent.await_event`: waits for an event of the agent.

use std::time::Duration;

use serde::Deserialize;

use super::agent;
use crate::Failure;
use crate::scene::Scene;
use crate::services::AgentEvents;

#[derive(Deserialize)]
pub(crate) struct Args {
    #[serde(default)]
    cursor: u64,
    timeout_ms: u64,
}

pub(crate) async fn perform(scene: Scene<'_>, args: Args) -> Result<AgentEvents, Failure> {
    let wait = Duration::from_millis(args.timeout_ms).min(scene.left_for_the_page());
    agent(&scene)?.events(args.cursor, wait).await
}
