//! Hears what a page says to its driver: declared events, and the use of attachments.
//!
//! The channel is a binding of the isolated world. The page has no name for it and no way into that world.

use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use chromiumoxide_cdp::cdp::browser_protocol::page::{
    AddScriptToEvaluateOnNewDocumentParams, RemoveScriptToEvaluateOnNewDocumentParams, ScriptIdentifier,
};
use chromiumoxide_cdp::cdp::js_protocol::runtime::AddBindingParams;
use serde::Deserialize;
use serde_json::json;

use super::ChromiumPage;
use super::prepare::WORLD;
use super::reports::Rate;
use crate::cdp::{Event, Session};
use crate::{Deadline, DetailFault, Error, HeardEvent, PageEvent, PageSignal};

/// The function of the isolated world that reports.
const BINDING: &str = "actions_report";
/// Listens in one document. It is called with its configuration.
const HEAR_EVENTS: &str = include_str!("js/hear_events.js");
/// The longest detail of an event, in UTF-16 code units.
const LONGEST_DETAIL: usize = 64 * 1024;
/// How many events of a document are reported per second in the long run, and how many at once.
const PER_SECOND: u32 = 20;
const BURST: u32 = 40;

/// What a page was asked to report.
#[derive(Default)]
pub(super) struct Hearing {
    state: Mutex<HearingState>,
    /// One change at a time.
    turn: tokio::sync::Mutex<()>,
}

#[derive(Default)]
struct HearingState {
    heard: Vec<HeardEvent>,
    is_bound: bool,
    script: Option<ScriptIdentifier>,
    /// A page may reload again and again, which begins every document's count anew.
    rate: Rate,
}

impl Hearing {
    fn state(&self) -> std::sync::MutexGuard<'_, HearingState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ChromiumPage {
    /// Makes the page script able to report.
    pub(super) async fn bind_reports(&self, deadline: Deadline) -> Result<(), Error> {
        if self.hearing.state().is_bound {
            return Ok(());
        }
        let command = AddBindingParams {
            execution_context_name: Some(WORLD.to_owned()),
            ..AddBindingParams::new(BINDING)
        };
        self.session.send(command, deadline).await?;
        self.hearing.state().is_bound = true;
        Ok(())
    }

    /// Hears these events from now on, in this document and in later ones, and no others.
    pub(super) async fn hear_events(&self, heard: &[HeardEvent], deadline: Deadline) -> Result<(), Error> {
        let _alone = self.hearing.turn.lock().await;
        self.bind_reports(deadline).await?;
        if self.hearing.state().heard == heard {
            return Ok(());
        }
        let before = self.hearing.state().script.take();
        if let Some(identifier) = before {
            self.session.send(RemoveScriptToEvaluateOnNewDocumentParams::new(identifier), deadline).await?;
        }
        let config = json!({
            "heard": heard, "most": LONGEST_DETAIL, "per_second": PER_SECOND, "burst": BURST,
        });
        // A script at the start of a document takes no arguments, so its configuration stands behind it as a JSON literal.
        let command = AddScriptToEvaluateOnNewDocumentParams {
            world_name: Some(WORLD.to_owned()),
            run_immediately: Some(true),
            ..AddScriptToEvaluateOnNewDocumentParams::new(format!("({HEAR_EVENTS})({config})"))
        };
        let added = self.session.send(command, deadline).await?;
        let mut state = self.hearing.state();
        state.script = Some(added.identifier.clone());
        state.heard = heard.to_vec();
        Ok(())
    }

    /// Emits what the isolated world reports.
    pub(super) fn reported(&self, session: &Session, event: Event<'_>) {
        if !session.is_same(&self.session) {
            return;
        }
        let Some(called) = event.read::<BindingCalled>().filter(|called| called.name == BINDING) else {
            return;
        };
        let Ok(report) = serde_json::from_str::<Report>(&called.payload) else { return };
        let Some(dropped_here) = self.hearing.state().rate.pass(Instant::now()) else { return };
        let signal = match report {
            Report::Event { event, detail, fault, size, dropped } => {
                let detail = match (detail, fault.as_deref()) {
                    (Some(detail), None) if detail.len() <= 4 * LONGEST_DETAIL => Ok(detail),
                    (None, Some("too_large")) => Err(DetailFault::TooLarge(size.unwrap_or_default())),
                    _ => Err(DetailFault::Unreadable),
                };
                PageSignal::Event { event, detail, dropped: dropped + dropped_here }
            }
            Report::Attachment { attachment, what } => PageSignal::Attachment { id: attachment, what },
        };
        self.emit(PageEvent::Signal(signal));
    }
}

#[derive(Deserialize)]
struct BindingCalled {
    name: String,
    payload: String,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Report {
    Event {
        event: String,
        detail: Option<String>,
        fault: Option<String>,
        size: Option<u64>,
        #[serde(default)]
        dropped: u64,
    },
    Attachment {
        attachment: String,
        what: String,
    },
}
