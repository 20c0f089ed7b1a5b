//! `marker.query`: performs the recipe of a marker and returns the place it leads to.

use serde::Deserialize;

use super::resolve::{Resolved, resolve};
use crate::Failure;
use crate::scene::Scene;

#[derive(Deserialize)]
pub(crate) struct Args {
    id: String,
}

pub(crate) async fn perform(scene: Scene<'_>, args: Args) -> Result<Resolved, Failure> {
    resolve(&scene, args.id, None).await
}
