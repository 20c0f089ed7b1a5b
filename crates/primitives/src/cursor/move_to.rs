//! `cursor.move_to`: performs the recipe of a cursor marker, which puts the text cursor at its place.

use serde::{Deserialize, Serialize};

use crate::Failure;
use crate::marker::resolve::{Resolved, resolve};
use crate::scene::Scene;

#[derive(Deserialize)]
pub(crate) struct Args {
    marker: String,
}

#[derive(Serialize)]
pub(crate) struct Output {
    #[serde(flatten)]
    resolved: Resolved,
    moved: bool,
}

pub(crate) async fn perform(scene: Scene<'_>, args: Args) -> Result<Output, Failure> {
    Ok(Output { resolved: resolve(&scene, args.marker, Some("cursor")).await?, moved: true })
}
