//! `storage.sync`: makes the stored maps known to the connected runtimes.

use serde::Deserialize;

use super::import_bundle::storage;
use crate::Failure;
use crate::scene::Scene;
use crate::services::Synced;

#[derive(Deserialize)]
pub(crate) struct Args {}

pub(crate) async fn perform(scene: Scene<'_>, _: Args) -> Result<Synced, Failure> {
    storage(&scene)?.sync().await
}
