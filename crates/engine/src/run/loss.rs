use std::sync::OnceLock;

use actions_browser::{Page, PageEvent};
use actions_primitives::Failure;
use actions_protocol::ErrorCode;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;

/// Whether the page a call runs on has gone: a workflow never goes on in a fresh one.
#[derive(Debug, Default)]
pub(crate) struct Loss {
    noticed: OnceLock<&'static str>,
}

impl Loss {
    /// Completes when the page crashed, was closed, or lost its browser. It must be polled before the work of the call
    /// is, so that nothing is begun after the loss.
    pub(super) async fn notice(&self, page: &dyn Page, mut events: Receiver<PageEvent>) {
        let how = loop {
            if page.is_closed() {
                break "the page was closed, or its browser is gone";
            }
            match events.recv().await {
                Ok(PageEvent::Crashed) => break "the page's process crashed",
                Ok(PageEvent::Closed) | Err(RecvError::Closed) => {
                    break "the page was closed, or its browser is gone";
                }
                Ok(_) | Err(RecvError::Lagged(_)) => {}
            }
        };
        // The first thing that was noticed stays.
        let _ = self.noticed.set(how);
    }

    /// Refuses to begin anything after the loss.
    pub(super) fn refuse(&self) -> Result<(), Failure> {
        self.noticed.get().map_or(Ok(()), |how| Err(Failure::new(ErrorCode::BrowserLost, *how)))
    }
}

/// A page that is gone is lost to the call as its browser would be.
pub(super) fn as_lost(failure: Failure) -> Failure {
    match failure.code {
        ErrorCode::PageClosed | ErrorCode::PageCrashed => {
            let was = failure.code.as_str();
            Failure { code: ErrorCode::BrowserLost, ..failure }.with_evidence("was", was)
        }
        _ => failure,
    }
}
