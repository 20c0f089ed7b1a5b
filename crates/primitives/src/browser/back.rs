//! `browser.back`: goes one document back in the history and waits for it.

use serde::{Deserialize, Serialize};

use super::{Arrival, arrived, load_state, within};
use crate::Failure;
use crate::scene::Scene;

#[derive(Deserialize)]
pub(crate) struct Args {
    wait_until: Option<String>,
    timeout_ms: Option<u64>,
}

#[derive(Serialize)]
pub(crate) struct Output {
    #[serde(flatten)]
    arrival: Arrival,
    from_url: String,
}

pub(crate) async fn perform(scene: Scene<'_>, args: Args) -> Result<Output, Failure> {
    let until = load_state(args.wait_until.as_deref());
    let from_url = scene.page().url();
    let navigated = scene.page().go(-1, until, within(&scene, args.timeout_ms)).await?;
    Ok(Output { arrival: arrived(&scene, navigated).await?, from_url })
}
