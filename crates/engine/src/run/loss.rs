//! Follows the events of the page during a call: notices that the page is gone, and keeps what the page reports.

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use actions_browser::{Page, PageEvent};
use actions_primitives::Failure;
use actions_protocol::{ErrorCode, Topic};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::{RecvError, TryRecvError};

use crate::failure::CallError;

/// Whether the page of a call is gone. A workflow never continues in a new page.
#[derive(Debug)]
pub(crate) struct Loss {
    noticed: OnceLock<&'static str>,
    heard: Mutex<Heard>,
}

/// The events of the page since the call began.
#[derive(Debug)]
struct Heard {
    events: Receiver<PageEvent>,
    reports: Reports,
}

/// What the page reported since the last look: console messages, uncaught exceptions and failed requests.
#[derive(Debug, Default)]
pub(super) struct Reports {
    /// The reports, oldest first.
    pub(super) kept: Vec<PageEvent>,
    /// How many were dropped because there were too many.
    pub(super) dropped: u64,
}

/// How many reports are kept until the page is next looked at.
const MOST_REPORTS: usize = 1_000;

impl Reports {
    fn keep(&mut self, report: PageEvent) {
        match self.kept.len() < MOST_REPORTS {
            true => self.kept.push(report),
            false => self.dropped += 1,
        }
    }
}

const GONE: &str = "the page was closed, or its browser is gone";
const CRASHED: &str = "the page's process crashed";

impl Loss {
    /// Listens to a page from now on.
    pub(super) fn of(page: &dyn Page) -> Self {
        let heard = Heard { events: page.events(), reports: Reports::default() };
        Self { noticed: OnceLock::new(), heard: Mutex::new(heard) }
    }

    /// Takes what the page has reported since the last time.
    pub(super) fn take_reports(&self, page: &dyn Page) -> Reports {
        self.look(page);
        std::mem::take(&mut self.heard().reports)
    }

    /// Completes when the page crashed, was closed, or lost its browser.
    pub(super) async fn notice(&self, page: &dyn Page) {
        let mut events = page.events();
        let how = loop {
            if self.look(page).is_some() {
                return;
            }
            match events.recv().await {
                Ok(PageEvent::Crashed) => break CRASHED,
                Ok(PageEvent::Closed) | Err(RecvError::Closed) => break GONE,
                Ok(_) | Err(RecvError::Lagged(_)) => {}
            }
        };
        // Keep the first reason.
        let _ = self.noticed.set(how);
    }

    /// Fails if the page is gone.
    pub(super) fn refuse(&self, page: &dyn Page) -> Result<(), Failure> {
        self.look(page).map_or(Ok(()), |how| Err(Failure::new(ErrorCode::BrowserLost, how)))
    }

    fn look(&self, page: &dyn Page) -> Option<&'static str> {
        let mut heard = self.heard();
        let mut how = page.is_closed().then_some(GONE);
        loop {
            match heard.events.try_recv() {
                Ok(PageEvent::Crashed) => how = Some(CRASHED),
                Ok(PageEvent::Closed) => how = how.or(Some(GONE)),
                Ok(report) if report.is_report() => heard.reports.keep(report),
                Ok(_) => {}
                // Only reports come in such numbers.
                Err(TryRecvError::Lagged(missed)) => heard.reports.dropped += missed,
                Err(TryRecvError::Closed) => {
                    how = how.or(Some(GONE));
                    break;
                }
                Err(TryRecvError::Empty) => break,
            }
        }
        match how {
            Some(how) => Some(*self.noticed.get_or_init(|| how)),
            None => self.noticed.get().copied(),
        }
    }

    fn heard(&self) -> MutexGuard<'_, Heard> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Maps `page_closed` and `page_crashed` to `browser_lost` in the error of a call.
pub(crate) fn as_lost_call(mut error: CallError) -> CallError {
    let lost = as_lost(Failure { code: error.code, message: error.message, evidence: error.evidence });
    (error.code, error.message, error.evidence) = (lost.code, lost.message, lost.evidence);
    error
}

/// Maps `page_closed` and `page_crashed` to `browser_lost`, and keeps the original code as evidence.
pub(super) fn as_lost(failure: Failure) -> Failure {
    if failure.code.topic() != Topic::LostPage {
        return failure;
    }
    let was = failure.code.as_str();
    Failure { code: ErrorCode::BrowserLost, ..failure }.with_evidence("was", was)
}
