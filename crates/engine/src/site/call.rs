use actions_protocol::{CallId, ErrorCode, Millis};
use actions_trace::StepSummary;
use tokio::sync::MutexGuard;
use tokio_util::sync::CancellationToken;

use super::{Listing, SiteAnswer, SiteRequest};
use crate::call::next_call_id;
use crate::failure::CallError;
use crate::observer::Observer;
use crate::run::as_lost_call;
use crate::session::Session;
use crate::state::{Reader, Snapshot};

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

    /// Tells somebody what happens while a tool runs.
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
            result = answer(session, request) => result.map_err(as_lost_call),
            () = cancel.cancelled() => Err(CallError::new(ErrorCode::Cancelled, "the request was cancelled")),
        };
        SiteOutcome { call_id, result, steps: Vec::new() }
    }
}

/// Answers a request that only looks. Every reading becomes the snapshot the next difference is told against.
async fn answer(session: &Session, request: SiteRequest) -> Result<SiteAnswer, CallError> {
    match request {
        SiteRequest::List => {
            Ok(SiteAnswer::Listing(Listing::of(session.engine().manifest(), &session.page().url())))
        }
        SiteRequest::StateRead { projection, max_bytes, timeout } => {
            let (reader, _turn) = reader(session, timeout).await?;
            let reading = reader.state(&reader.plan(&projection)?, max_bytes).await?;
            session.keep_snapshot(Snapshot::new(&reading.observation, reading.state.clone()));
            Ok(SiteAnswer::State(reading))
        }
        SiteRequest::StateSummary { projection, summary, arguments, max_bytes, timeout } => {
            let (reader, _turn) = reader(session, timeout).await?;
            let planned = reader.plan(&projection)?;
            let (reading, state) = reader.summary(&planned, &summary, &arguments, max_bytes).await?;
            session.keep_snapshot(Snapshot::new(&reading.observation, state));
            Ok(SiteAnswer::Summary(reading))
        }
        SiteRequest::StateDiff { projection, max_bytes, timeout } => {
            let (reader, _turn) = reader(session, timeout).await?;
            let planned = reader.plan(&projection)?;
            let before = session.snapshot(planned.name.as_str());
            let (diff, after) = reader.diff(&planned, before.as_ref(), max_bytes).await?;
            session.keep_snapshot(after);
            Ok(SiteAnswer::Diff(diff))
        }
        SiteRequest::Call { .. } => Err(CallError::new(ErrorCode::InternalError, "a call is not a look")),
    }
}

/// Reads while nothing else happens on the page.
async fn reader(
    session: &Session,
    timeout: Option<Millis>,
) -> Result<(Reader<'_>, MutexGuard<'_, ()>), CallError> {
    let deadline = session.deadline(timeout);
    let turn = session.turn(deadline).await?;
    Ok((session.reader(deadline), turn))
}
