use std::sync::{Mutex, OnceLock, PoisonError};

use actions_browser::{Page, PageEvent};
use actions_primitives::Failure;
use actions_protocol::{ErrorCode, Topic};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::{RecvError, TryRecvError};

use crate::failure::CallError;

/// Whether the page a call runs on has gone: a workflow never goes on in a fresh one.
#[derive(Debug)]
pub(crate) struct Loss {
    noticed: OnceLock<&'static str>,
    /// What has happened to the page since the last look.
    events: Mutex<Receiver<PageEvent>>,
}

const GONE: &str = "the page was closed, or its browser is gone";
const CRASHED: &str = "the page's process crashed";

impl Loss {
    /// Listens to a page from now on.
    pub(super) fn of(page: &dyn Page) -> Self {
        Self { noticed: OnceLock::new(), events: Mutex::new(page.events()) }
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
        // The first thing that was noticed stays.
        let _ = self.noticed.set(how);
    }

    /// Refuses to begin anything after the loss.
    pub(super) fn refuse(&self, page: &dyn Page) -> Result<(), Failure> {
        self.look(page).map_or(Ok(()), |how| Err(Failure::new(ErrorCode::BrowserLost, how)))
    }

    fn look(&self, page: &dyn Page) -> Option<&'static str> {
        let mut events = self.events.lock().unwrap_or_else(PoisonError::into_inner);
        let mut how = page.is_closed().then_some(GONE);
        loop {
            match events.try_recv() {
                Ok(PageEvent::Crashed) => how = Some(CRASHED),
                Ok(PageEvent::Closed) | Err(TryRecvError::Closed) => how = how.or(Some(GONE)),
                Ok(_) | Err(TryRecvError::Lagged(_)) => {}
                Err(TryRecvError::Empty) => break,
            }
            if how.is_some() {
                break;
            }
        }
        match how {
            Some(how) => Some(*self.noticed.get_or_init(|| how)),
            None => self.noticed.get().copied(),
        }
    }
}

/// The error of a call whose page is gone, as if its browser were.
pub(crate) fn as_lost_call(mut error: CallError) -> CallError {
    let lost = as_lost(Failure { code: error.code, message: error.message, evidence: error.evidence });
    (error.code, error.message, error.evidence) = (lost.code, lost.message, lost.evidence);
    error
}

/// A page that is gone is lost to the call as its browser would be.
pub(super) fn as_lost(failure: Failure) -> Failure {
    if failure.code.topic() != Topic::LostPage {
        return failure;
    }
    let was = failure.code.as_str();
    Failure { code: ErrorCode::BrowserLost, ..failure }.with_evidence("was", was)
}
