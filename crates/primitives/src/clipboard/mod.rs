//! Primitives for the clipboard of the browser.

pub(crate) mod copy;
pub(crate) mod paste;
pub(crate) mod read;
pub(crate) mod write;

use actions_browser::Error;
use actions_protocol::ErrorCode;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::Failure;
use crate::scene::Scene;

/// What is on the clipboard.
#[derive(Deserialize)]
struct Content {
    text: String,
    html: String,
    length: u64,
}

/// Calls a function of the page script that uses the clipboard. The page has the right to it for as long as this takes.
async fn use_clipboard<T: DeserializeOwned>(
    scene: &Scene<'_>,
    function: &str,
    args: &Value,
    denied: ErrorCode,
) -> Result<T, Failure> {
    scene.page().permit_clipboard(true, scene.deadline).await.map_err(|error| match error {
        Error::Refused { message, .. } => {
            Failure::new(denied, format!("the browser does not let this page use the clipboard: {message}"))
        }
        other => other.into(),
    })?;
    let frame = scene.page().main_frame();
    let answer = scene.act_in(&frame, function, args).await;
    let taken_back = scene.page().permit_clipboard(false, scene.deadline).await;
    let answer = answer?;
    taken_back?;
    Ok(answer)
}
