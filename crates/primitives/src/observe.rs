//! Reads of the page that the engine makes between primitives: changes, and how many elements match.

use std::time::Duration;

use actions_browser::{Call, Deadline, PageEvent};
use actions_protocol::{ErrorCode, Topic};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use tokio::sync::broadcast::Receiver;

use crate::locate::Locator;
use crate::scene::Scene;
use crate::{Failure, Stage};

/// Waits until the page changes (its DOM, its URL, a new document), at most for `pause`.
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
        // A navigation is a change too, and the old document no longer answers.
        () = next_change(&mut events) => Ok(()),
        () = stage.clock().sleep_until(over) => Ok(()),
    };
    match changed.map_err(Failure::from) {
        // The document was replaced, which is a change; or the page did not answer, and the pause is over.
        Err(failure)
            if failure.code == ErrorCode::Timeout
                || matches!(failure.code.topic(), Topic::StaleDocument | Topic::AbsentFrame) =>
        {
            Ok(())
        }
        // A dialog blocks the page: the next change is that it closes.
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

/// Waits for the next event that changes the page. Reports such as console messages do not count.
async fn next_change(events: &mut Receiver<PageEvent>) {
    while events.recv().await.is_ok_and(|event| event.is_report()) {}
}

/// How many elements match a locator, and which part of the locator matched.
#[derive(Clone, Debug)]
pub struct Found {
    /// The matching elements in the document.
    pub attached: u64,
    /// How many of the first thousand are rendered.
    pub rendered: u64,
    /// The key of the locator that matched.
    pub matched_by: String,
    /// The selector that matched, if one did.
    pub matched_selector: Option<String>,
    /// Whether the role and name of the locator agree with the element that its selector matched.
    pub identity: String,
}

/// Counts the elements that match a locator, in one round trip.
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

/// How many elements match one of several locators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct Tally {
    /// The matching elements in the document.
    pub attached: u64,
    /// How many of the first thousand are rendered.
    pub rendered: u64,
}

/// Counts the elements that match each of several locators in the main frame, all at one moment and in one round trip.
/// A locator that cannot be counted has a failure of its own. The result is in the order of the locators.
pub async fn tally(
    stage: &Stage,
    locators: &[&Locator],
    deadline: Deadline,
) -> Result<Vec<Result<Tally, Failure>>, Failure> {
    #[derive(Deserialize)]
    struct Counted {
        counts: Vec<Answer>,
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Answer {
        Ok(Tally),
        Error { code: ErrorCode, message: String, evidence: Map<String, Value> },
    }
    let scene = Scene { stage, primitive: dictionary_entry()?, deadline };
    let queries: Vec<&Value> = locators.iter().map(|locator| locator.query()).collect();
    let frame = stage.page().main_frame();
    let counted: Counted = scene.read_in(&frame, "locator.tally", &json!({ "locators": queries })).await?;
    let answers = counted.counts.into_iter().map(|answer| match answer {
        Answer::Ok(tally) => Ok(tally),
        Answer::Error { code, message, evidence } => Err(Failure { code, message, evidence }),
    });
    Ok(answers.collect())
}

fn dictionary_entry() -> Result<&'static actions_dictionary::Primitive, Failure> {
    actions_dictionary::Dictionary::builtin()
        .get("locator.element_info")
        .ok_or_else(|| Failure::new(ErrorCode::InternalError, "the dictionary has no `locator.element_info`"))
}
