//! A request of `actions.site`, answered by a session.

use actions_protocol::{CallId, ErrorCode, Millis};
use actions_trace::StepSummary;
use tokio_util::sync::CancellationToken;

use super::{Session, StateOptions};
use crate::failure::CallError;
use crate::observer::Observer;
use crate::run::next_call_id;
use crate::site::{Listing, SiteAnswer, SiteRequest};

/// A request of `actions.site` that has not begun yet.
#[must_use = "a request does nothing until it is run"]
pub struct SiteCall<'s> {
    session: &'s Session,
    request: SiteRequest,
    call_id: Option<CallId>,
    observer: &'s dyn Observer,
    cancel: CancellationToken,
}

/// What came of a request.
#[derive(Debug)]
#[non_exhaustive]
pub struct SiteOutcome {
    /// The call.
    pub call_id: CallId,
    /// The answer, or why there is none.
    pub result: Result<SiteAnswer, CallError>,
    /// What became of the steps of a tool.
    pub steps: Vec<StepSummary>,
}

impl<'s> SiteCall<'s> {
    pub(crate) fn new(session: &'s Session, request: SiteRequest) -> Self {
        Self { session, request, call_id: None, observer: &(), cancel: CancellationToken::new() }
    }

    /// Gives the request an id of the caller's own.
    pub fn id(mut self, call_id: CallId) -> Self {
        self.call_id = Some(call_id);
        self
    }

    /// Sends the events of a tool to an observer.
    pub fn observer(mut self, observer: &'s dyn Observer) -> Self {
        self.observer = observer;
        self
    }

    /// Ends the request when the token is cancelled.
    pub fn cancelled_by(mut self, cancel: CancellationToken) -> Self {
        self.cancel = cancel;
        self
    }

    /// Runs the request. Dropping the future ends it where it is.
    pub async fn run(self) -> SiteOutcome {
        let Self { session, request, call_id, observer, cancel } = self;
        let call_id = call_id.unwrap_or_else(next_call_id);
        if let SiteRequest::Call { action, arguments, timeout } = request {
            let call =
                session.call(action).arguments(arguments).id(call_id).observer(observer).cancelled_by(cancel);
            let call = timeout.into_iter().fold(call, |call, timeout| call.timeout(timeout));
            let outcome = call.run().await;
            let result = outcome.result.map(SiteAnswer::Value);
            return SiteOutcome { call_id: outcome.call_id, result, steps: outcome.steps };
        }
        let result = tokio::select! {
            biased;
            result = answer(session, request) => result,
            () = cancel.cancelled() => Err(CallError::new(ErrorCode::Cancelled, "the request was cancelled")),
        };
        SiteOutcome { call_id, result, steps: Vec::new() }
    }
}

/// How long a listing waits for the page to name its tools.
const LISTING: Millis = Millis(1_000);

/// Answers a request that only reads.
async fn answer(session: &Session, request: SiteRequest) -> Result<SiteAnswer, CallError> {
    match request {
        SiteRequest::List => {
            let mut listing = Listing::of(session.engine().manifest(), &session.page().url());
            // What the map offers does not depend on whether the page answers.
            listing.page_tools = session.page_tools_if_free(LISTING).await;
            Ok(SiteAnswer::Listing(listing))
        }
        SiteRequest::StateRead { projection, max_bytes, timeout } => {
            let options = StateOptions { max_bytes, timeout, ..StateOptions::default() };
            session.read_state(&projection, options).await.map(SiteAnswer::State)
        }
        SiteRequest::StateSummary { projection, summary, arguments, max_bytes, timeout } => {
            let options = StateOptions { max_bytes, timeout, ..StateOptions::default() };
            session.summary(&projection, &summary, &arguments, options).await.map(SiteAnswer::Summary)
        }
        SiteRequest::StateDiff { projection, max_bytes, timeout } => {
            let options = StateOptions { max_bytes, timeout, ..StateOptions::default() };
            session.diff(&projection, options).await.map(SiteAnswer::Diff)
        }
        SiteRequest::Call { .. } => {
            Err(CallError::new(ErrorCode::InternalError, "a call does more than read"))
        }
    }
}
