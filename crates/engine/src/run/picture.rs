//! Takes screenshots for the trace.

use std::time::Duration;

use actions_browser::{Deadline, Screenshot};
use actions_primitives::Failure;
use actions_protocol::{ErrorCode, Topic};
use actions_trace::{EventKind, Moment, TraceRecorder};

use super::Run;
use crate::failure::CallError;

/// Whether a failure leaves no page to picture, or no time for it.
fn is_unseen(code: ErrorCode) -> bool {
    code == ErrorCode::HandlerTimeout || matches!(code.topic(), Topic::LostPage | Topic::LostBrowser)
}

/// How long a picture may take, so that a trace does not delay the call it records.
const PATIENCE: Duration = Duration::from_secs(1);

/// How long after its deadline the last picture of a call may come: a call ends 250 ms after it at the latest.
const BEYOND_THE_END: Duration = Duration::from_millis(200);

/// How long the last picture of a cancelled call may take.
const AFTER_CANCEL: Duration = Duration::from_millis(100);

impl Run<'_> {
    /// Takes a picture for the trace, if there is one and the call has time for it.
    pub(super) async fn picture(&self, subject: Option<&str>, moment: Moment) {
        let left = self.deadline().remaining(&*self.stage.clock());
        if let (Some(trace), Some(subject), false) = (self.trace, subject, left.is_zero()) {
            self.take_picture(trace, subject, moment, left.min(PATIENCE)).await;
        }
    }

    /// Takes a picture after a step, unless its failure left no page or no time for one.
    pub(super) async fn picture_after(&self, subject: Option<&str>, failure: Option<&Failure>) {
        if failure.is_none_or(|failure| !is_unseen(failure.code)) {
            self.picture(subject, Moment::After).await;
        }
    }

    /// Takes the last picture of a call that failed, within the time a caller can expect its end.
    pub(super) async fn picture_of_the_end(&self, error: &CallError) {
        let Some(trace) = self.trace else { return };
        let patience = match error.code {
            ErrorCode::HandlerTimeout => {
                (self.deadline().at() + BEYOND_THE_END).saturating_duration_since(self.now())
            }
            ErrorCode::Cancelled => AFTER_CANCEL,
            _ => PATIENCE,
        };
        self.take_picture(trace, "call", Moment::Error, patience).await;
    }

    /// Takes a picture of the page within a time and emits it, or why there is none.
    async fn take_picture(&self, trace: &TraceRecorder, subject: &str, moment: Moment, within: Duration) {
        let deadline = Deadline::after(&*self.stage.clock(), within);
        let taken = self.stage.page().screenshot(Screenshot::default(), deadline).await;
        let picture = trace.keep_picture(subject, moment, taken.map_err(|error| error.code().into()));
        self.emit(EventKind::Picture { subject: subject.to_owned(), moment, picture });
    }
}
