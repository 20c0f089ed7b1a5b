//! `overlay.menu.*`: this engine puts no menu on the page, so there is never one to hide or show.

use serde::Serialize;
use serde_json::Value;

use crate::Failure;
use crate::scene::Scene;

#[derive(Serialize)]
pub(crate) struct Output {
    menu: bool,
    changed: bool,
}

pub(crate) async fn perform(_: Scene<'_>, _: Value) -> Result<Output, Failure> {
    Ok(Output { menu: false, changed: false })
}
