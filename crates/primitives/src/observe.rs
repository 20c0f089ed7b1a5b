//! What the engine itself looks at between primitives.

use std::time::Duration;

use actions_browser::{Call, Deadline, PageEvent};
use actions_protocol::{ErrorCode, Topic};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::broadcast::Receiver;

use crate::locate::Locator;
use crate::scene::Scene;
use crate::{Failure, Stage};

/// Waits until the page changes (its tree, an address, a new document) or the pause is over.
pub async fn page_change(stage: &Stage, pause: Duration, deadline: Deadline) -> Result<(), Failure> {
    let left = deadline.at().saturating_duration_since(stage.clock().now());
    let pause = pause.min(left);
    let frame = stage.page().main_frame();
    let args = json!({ "timeout_ms": pause.as_millis() as u64 });
    let mut events = stage.page().events();
    let over = stage.clock().now() + pause;
    let change = stage.page().call::<Value>(Call::new(&frame, "page.change", &args), deadline);
    let changed = tokio::select! {
        answer = change => answer.map(|_| ()),
        // A navigation is a change; the old document takes its answer with it.
        () = next_change(&mut events) => Ok(()),
        () = stage.clock().sleep_until(over) => Ok(()),
    };
    match changed.map_err(Failure::from) {
        // The old document takes its answer with it, and a page that says nothing until the pause is over has not changed.
        Err(failure)
            if failure.code == ErrorCode::Timeout
                || matches!(failure.code.topic(), Topic::StaleDocument | Topic::AbsentFrame) =>
        {
            Ok(())
        }
        // Nothing changes behind a dialog; that it goes is the change.
        Err(failure) if failure.code == ErrorCode::DialogOpen => {
            tokio::select! {
                () = next_change(&mut events) => {}
                () = stage.clock().sleep_until(over) => {}
            }
            Ok(())
        }
        other => other,
    }
}

/// Waits for an event that is more than a report of the page, such as a console message.
async fn next_change(events: &mut Receiver<PageEvent>) {
    while events.recv().await.is_ok_and(|event| event.is_report()) {}
}

/// How many elements a locator means, and by what it means them.
#[derive(Clone, Debug)]
pub struct Found {
    /// In the document.
    pub attached: u64,
    /// Of those, rendered; no more than a thousand are looked at.
    pub rendered: u64,
    /// The key of the locator that led to them.
    pub matched_by: String,
    /// The selector that led to them, if one did.
    pub matched_selector: Option<String>,
    /// Whether role and name agree with what a selector found.
    pub identity: String,
}

/// Counts the elements a locator means, in one round trip.
pub async fn count(stage: &Stage, locator: &Locator, deadline: Deadline) -> Result<Found, Failure> {
    #[derive(Deserialize)]
    struct Resolved {
        candidate_count: u64,
        matched_by: String,
        matched_selector: Option<String>,
        identity: String,
        elements: Vec<Seen>,
    }
    #[derive(Deserialize)]
    struct Seen {
        rendered: bool,
    }
    let scene = Scene { stage, primitive: dictionary_entry()?, deadline };
    let args = json!({ "locator": locator, "max_elements": 1000 });
    let resolved: Resolved = scene.read("locator.resolve", &args).await?;
    let rendered = resolved.elements.iter().filter(|seen| seen.rendered).count() as u64;
    Ok(Found {
        attached: resolved.candidate_count,
        rendered,
        matched_by: resolved.matched_by,
        matched_selector: resolved.matched_selector,
        identity: resolved.identity,
    })
}

fn dictionary_entry() -> Result<&'static actions_dictionary::Primitive, Failure> {
    actions_dictionary::Dictionary::builtin()
        .get("locator.element_info")
        .ok_or_else(|| Failure::new(ErrorCode::InternalError, "the dictionary has no `locator.element_info`"))
}
