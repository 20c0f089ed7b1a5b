//! `overlay.open`: shows an HTML document in a window over the page.

use super::content::{Args, Output, put};
use crate::Failure;
use crate::scene::Scene;

pub(crate) async fn perform(scene: Scene<'_>, args: Args) -> Result<Output, Failure> {
    put(&scene, "overlay.open", args).await
}
