//! `runtime.session.log`: reads which primitives the session performed.

use serde::{Deserialize, Serialize};

use crate::Failure;
use crate::scene::Scene;
use crate::services::LogEntry;

#[derive(Deserialize)]
pub(crate) struct Args {
    limit: usize,
}

#[derive(Serialize)]
pub(crate) struct Output {
    events: Vec<LogEntry>,
}

pub(crate) async fn perform(scene: Scene<'_>, args: Args) -> Result<Output, Failure> {
    Ok(Output { events: scene.stage.memory().log.latest(args.limit) })
}
