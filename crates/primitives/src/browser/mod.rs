//! Primitives for the page as a whole and for tabs: navigation, dialogs, screenshots.

pub(crate) mod active_tab;
pub(crate) mod back;
pub(crate) mod claimed_tabs;
pub(crate) mod close_tab;
pub(crate) mod dismiss_dialog;
pub(crate) mod forward;
pub(crate) mod navigate;
pub(crate) mod open_tab;
pub(crate) mod screenshot;
pub(crate) mod wait_for_download;
pub(crate) mod wait_for_navigation;

use std::time::Duration;

use actions_browser::{Call, Deadline, Error, LoadState, Navigated};
use actions_protocol::ErrorCode;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::Failure;
use crate::scene::Scene;
use crate::services::{Tab, Tabs};

/// Parses `wait_until`: how far a document must have loaded.
fn load_state(word: Option<&str>) -> LoadState {
    match word {
        Some("commit") => LoadState::Commit,
        Some("domcontentloaded") => LoadState::DomContentLoaded,
        _ => LoadState::Load,
    }
}

/// The earlier of the deadline of the call and the timeout of the primitive.
pub(crate) fn within(scene: &Scene<'_>, timeout_ms: Option<u64>) -> Deadline {
    let wish = timeout_ms.map_or(Duration::MAX, Duration::from_millis);
    Deadline::after(&*scene.stage.clock(), scene.left().min(wish))
}

/// The tabs of the session.
fn tabs<'s>(scene: &Scene<'s>) -> Result<&'s dyn Tabs, Failure> {
    scene.stage.services().tabs().ok_or_else(|| {
        Failure::new(ErrorCode::CapabilityUnavailable, "the page belongs to no session that has tabs")
    })
}

/// The failure for a tab that is not open, with those that are.
fn missing(open: &[Tab], key: &str, wanted: Value) -> Failure {
    let known: Vec<Value> = open
        .iter()
        .map(|tab| json!({ "tab_id": tab.id, "runtime_id": tab.runtime_id, "url": tab.page.url() }))
        .collect();
    Failure::new(ErrorCode::RuntimeNotFound, format!("no open tab of the session has the {key} {wanted}"))
        .with_evidence(key, wanted)
        .with_evidence("tabs", known)
}

/// A finished navigation, as outputs show it.
#[derive(Serialize)]
pub(crate) struct Arrival {
    navigated: bool,
    url: String,
    title: String,
    status: Option<u16>,
    same_document: bool,
}

/// Reads the title and status of the document that a navigation led to.
async fn arrived(scene: &Scene<'_>, navigated: Navigated) -> Result<Arrival, Failure> {
    #[derive(Deserialize)]
    struct Document {
        title: String,
        status: Option<u16>,
    }
    scene.stage.mark_navigation();
    let main = scene.page().main_frame();
    let question = Call::new(&main, "page.arrival", &json!({})).repeatable();
    let document = match scene.page().call(question, scene.deadline).await {
        Ok(document) => document,
        // The navigation has succeeded, even if the new document opens a dialog at once.
        Err(Error::DialogOpen(_)) => {
            Document { title: scene.page().title(scene.deadline).await?, status: None }
        }
        Err(error) => return Err(error.into()),
    };
    Ok(Arrival {
        navigated: true,
        url: navigated.url,
        title: document.title,
        status: document.status.filter(|_| !navigated.same_document),
        same_document: navigated.same_document,
    })
}
