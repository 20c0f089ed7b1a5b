//! The page as a whole.

pub(crate) mod back;
pub(crate) mod dismiss_dialog;
pub(crate) mod forward;
pub(crate) mod navigate;
pub(crate) mod screenshot;
pub(crate) mod wait_for_navigation;

use std::time::Duration;

use actions_browser::{Call, Deadline, Error, LoadState, Navigated};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::Failure;
use crate::scene::Scene;

/// How far a document must have come, by the dictionary's words.
fn load_state(word: Option<&str>) -> LoadState {
    match word {
        Some("commit") => LoadState::Commit,
        Some("domcontentloaded") => LoadState::DomContentLoaded,
        _ => LoadState::Load,
    }
}

/// The sooner of the call's deadline and the primitive's own time.
fn within(scene: &Scene<'_>, timeout_ms: Option<u64>) -> Deadline {
    let wish = timeout_ms.map_or(Duration::MAX, Duration::from_millis);
    Deadline::after(&*scene.stage.clock(), scene.left().min(wish))
}

/// A navigation as outputs show it.
async fn arrived(scene: &Scene<'_>, navigated: &Navigated) -> Result<Map<String, Value>, Failure> {
    #[derive(Deserialize)]
    struct Arrival {
        title: String,
        status: Option<u16>,
    }
    scene.stage.mark_navigation();
    let main = scene.page().main_frame();
    let question = Call::new(&main, "page.arrival", &json!({})).repeatable();
    let arrival = match scene.page().call(question, scene.deadline).await {
        Ok(arrival) => arrival,
        // The document has come; that it greets with a dialog does not undo it.
        Err(Error::DialogOpen(_)) => {
            Arrival { title: scene.page().title(scene.deadline).await?, status: None }
        }
        Err(error) => return Err(error.into()),
    };
    let mut output = Map::new();
    output.insert("navigated".to_owned(), json!(true));
    output.insert("url".to_owned(), json!(navigated.url));
    output.insert("title".to_owned(), json!(arrival.title));
    output.insert("status".to_owned(), json!(arrival.status.filter(|_| !navigated.same_document)));
    output.insert("same_document".to_owned(), json!(navigated.same_document));
    Ok(output)
}
