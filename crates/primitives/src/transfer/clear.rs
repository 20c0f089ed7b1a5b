//! `transfer.clear`: forgets stored values.

use serde::{Deserialize, Serialize};

use crate::Failure;
use crate::scene::Scene;
use crate::services::TransferKey;

#[derive(Deserialize)]
pub(crate) struct Args {
    /// The value to forget; every value of the session when absent.
    #[serde(flatten)]
    key: Option<TransferKey>,
}

#[derive(Serialize)]
pub(crate) struct Output {
    cleared_count: usize,
}

pub(crate) async fn perform(scene: Scene<'_>, args: Args) -> Result<Output, Failure> {
    let mut store = scene.stage.memory().transfers.store();
    Ok(Output { cleared_count: store.forget(args.key.as_ref()) })
}
