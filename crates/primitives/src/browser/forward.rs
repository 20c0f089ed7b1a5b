//! `browser.forward`: goes one document forward in the history and waits for it.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{arrived, load_state, within};
use crate::Failure;
use crate::scene::Scene;

#[derive(Deserialize)]
pub(crate) struct Args {
    wait_until: Option<String>,
    timeout_ms: Option<u64>,
}

pub(crate) async fn perform(scene: Scene<'_>, args: Args) -> Result<Map<String, Value>, Failure> {
    let until = load_state(args.wait_until.as_deref());
    let from_url = scene.page().url();
    let navigated = scene.page().go(1, until, within(&scene, args.timeout_ms)).await?;
    let mut output = arrived(&scene, &navigated).await?;
    output.insert("from_url".to_owned(), json!(from_url));
    Ok(output)
}
