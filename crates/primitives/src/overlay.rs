//! `overlay.menu.*`: this engine puts no menu on the page, so there is never one to hide or show.

use serde_json::{Value, json};

use crate::Failure;
use crate::scene::Scene;

pub(crate) async fn perform(_: Scene<'_>, _: Value) -> Result<Value, Failure> {
    Ok(json!({ "menu": false, "changed": false }))
}
