//! `browser.navigate`: loads an address, or the current one again, and waits for the new document.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{arrived, load_state, within};
use crate::Failure;
use crate::scene::Scene;

#[derive(Deserialize)]
pub(crate) struct Args {
    url: Option<String>,
    wait_until: Option<String>,
    timeout_ms: Option<u64>,
}

pub(crate) async fn perform(scene: Scene<'_>, args: Args) -> Result<Map<String, Value>, Failure> {
    let until = load_state(args.wait_until.as_deref());
    let deadline = within(&scene, args.timeout_ms);
    let navigated = match &args.url {
        Some(url) => scene.page().navigate(url, until, deadline).await?,
        None => scene.page().reload(until, deadline).await?,
    };
    let mut output = arrived(&scene, &navigated).await?;
    output.insert("reloaded".to_owned(), json!(args.url.is_none()));
    Ok(output)
}
