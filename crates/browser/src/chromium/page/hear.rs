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
/// After how many milliseconds a document says how many events were dropped, if no later event does.
const COUNT_AFTER: u32 = 1_000;

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
    /// Events that were dropped in the page, as reports said that did not pass.
    uncounted: u64,
}

impl HearingState {
    /// Whether a report may pass; if so, how many events were dropped before it.
    fn pass(&mut self, report: &Report, now: Instant) -> Option<u64> {
        let dropped = self.uncounted.saturating_add(report.dropped());
        let Some(here) = self.rate.pass(now) else {
            // The rate counts the report as an event that was dropped, which a mere count is not.
            let is_count = matches!(report, Report::Dropped { .. });
            self.uncounted = dropped.saturating_sub(u64::from(is_count));
            return None;
        };
        self.uncounted = 0;
        Some(dropped.saturating_add(here))
    }
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
            "count_after": COUNT_AFTER,
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
        let Some(dropped) = self.hearing.state().pass(&report, Instant::now()) else { return };
        let signal = match report {
            Report::Event { event, detail, fault, size, .. } => {
                let detail = match (detail, fault.as_deref()) {
                    (Some(detail), None) if detail.len() <= 4 * LONGEST_DETAIL => Ok(detail),
                    (None, Some("too_large")) => Err(DetailFault::TooLarge(size.unwrap_or_default())),
                    _ => Err(DetailFault::Unreadable),
                };
                PageSignal::Event { event, detail, dropped }
            }
            Report::Attachment { attachment, what } => {
                if dropped > 0 {
                    self.emit(PageEvent::Signal(PageSignal::Dropped { count: dropped }));
                }
                PageSignal::Attachment { id: attachment, what }
            }
            Report::Dropped { .. } => PageSignal::Dropped { count: dropped },
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
    Dropped {
        dropped: u64,
    },
}

impl Report {
    /// How many events the page has dropped before it.
    fn dropped(&self) -> u64 {
        match self {
            Self::Event { dropped, .. } | Self::Dropped { dropped } => *dropped,
            Self::Attachment { .. } => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn every_dropped_event_is_counted_once_also_by_reports_that_do_not_pass() {
        let mut state = HearingState::default();
        let (start, report) = (Instant::now(), |text: &str| serde_json::from_str::<Report>(text).unwrap());
        let mut passed = 0;
        let mut dropped = 0;
        let mut take = |report: &Report, at: Instant| {
            let is_event = matches!(report, Report::Event { .. });
            if let Some(before) = state.pass(report, at) {
                passed += u64::from(is_event);
                dropped += before;
            }
        };
        for _ in 0..100 {
            take(&report(r#"{"event":"a","detail":"1","dropped":3}"#), start);
            take(&report(r#"{"dropped":2}"#), start);
        }
        take(&report(r#"{"dropped":7}"#), start + Duration::from_secs(1));
        assert!(passed < 100, "the rate is limited");
        assert_eq!(passed + dropped, 100 * (1 + 3 + 2) + 7);
    }
}
