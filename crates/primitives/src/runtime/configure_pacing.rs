//! `runtime.configure_pacing`: sets the pause between actions that a visitor would see.

use actions_protocol::Millis;
use serde::{Deserialize, Serialize};

use crate::Failure;
use crate::scene::Scene;

#[derive(Deserialize)]
pub(crate) struct Args {
    min_interval_ms: Option<u64>,
}

#[derive(Serialize)]
pub(crate) struct Output {
    min_interval_ms: u64,
    previous_interval_ms: u64,
}

pub(crate) async fn perform(scene: Scene<'_>, args: Args) -> Result<Output, Failure> {
    let pacing = &scene.stage.memory().pacing;
    let previous = match args.min_interval_ms {
        Some(interval) => pacing.set_interval(Millis(interval)),
        None => pacing.interval(),
    };
    Ok(Output { min_interval_ms: pacing.interval().0, previous_interval_ms: previous.0 })
}
