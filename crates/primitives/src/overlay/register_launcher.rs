//! `overlay.register_launcher`: installs buttons that open an overlay later.

use super::content::{Args, Output, put};
use crate::Failure;
use crate::scene::Scene;

pub(crate) async fn perform(scene: Scene<'_>, args: Args) -> Result<Output, Failure> {
    put(&scene, "overlay.register_launcher", args).await
}
