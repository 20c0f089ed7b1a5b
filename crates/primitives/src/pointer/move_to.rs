//! `pointer.move_to`: performs the recipe of a pointer marker and moves the pointer to the place it found.

use actions_protocol::ErrorCode;
use serde::{Deserialize, Serialize};

use super::r#move::{Args as MoveArgs, perform as move_pointer};
use crate::Failure;
use crate::gesture::Aim;
use crate::marker::resolve::{Resolved, resolve, step_failed};
use crate::scene::Scene;

/// How long the page may take to receive the pointer, in milliseconds.
const ARRIVING_MS: u64 = 5_000;

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
    let resolved = resolve(&scene, args.marker, Some("pointer")).await?;
    let place = resolved.location.clone().unwrap_or_default();
    let (Some(x), Some(y)) = (place["x"].as_f64(), place["y"].as_f64()) else {
        return Err(Failure::new(ErrorCode::MarkerPromiseUnkept, "the anchor of the marker is no point"));
    };
    let step = MoveArgs::new(Aim::Point { x, y }, ARRIVING_MS);
    move_pointer(scene, step).await.map_err(|failure| step_failed(&scene, failure, 0, "pointer.move"))?;
    Ok(Output { resolved, moved: true })
}
