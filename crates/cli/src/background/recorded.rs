//! A recording of the network of a session, for one request of a command.

use actions_engine::{CallError, CancellationToken, ErrorCode};
use actions_protocol::Exit;
use actions_runtime::{Lease, Route, ToolCall};
use serde_json::json;
use tokio::sync::MutexGuard;
use tokio::sync::mpsc::Sender;

use super::message::{RecordRequest, Reply};
use super::work::tell;
use crate::held::Held;
use crate::recording::{Recording, unwritable};
use crate::time_limit::TimeLimit;

/// A recording of the network of a session. While it lasts, the session records nothing else.
pub(super) struct Recorded<'h> {
    recording: Recording,
    lease: &'h Lease,
    _alone: MutexGuard<'h, ()>,
}

impl<'h> Recorded<'h> {
    /// Starts a recording, and loads the page again if that is wanted.
    pub(super) async fn begin(
        held: &'h Held,
        lease: &'h Lease,
        request: &RecordRequest,
        say: &Sender<Reply>,
        cancel: &CancellationToken,
    ) -> Result<Self, CallError> {
        let Ok(alone) = held.recording.try_lock() else {
            let message = "another command records the session now";
            return Err(CallError::new(ErrorCode::WrongUsage, message)
                .with_evidence("hint", "wait until it has ended, then record again"));
        };
        let recording = Recording::create(request.har.clone(), request.quiet);
        let recording = recording.map_err(|error| unwritable(&request.har, &error))?;
        lease.record(Some(recording.recorder())).await?;
        let this = Self { recording, lease, _alone: alone };
        if request.reload {
            let address = json!({ "url": lease.page().url() });
            let call = ToolCall::of_primitive("browser.navigate").arguments(address);
            let call = call.on(Route::Page(lease.page_id())).cancelled_by(cancel.clone());
            let call = request.timeout.into_iter().fold(call, ToolCall::timeout);
            if let Err(error) = held.session.call(call).await.result {
                this.end(Some(Vec::new()), say).await?;
                return Err(error);
            }
        }
        Ok(this)
    }

    /// Ends the recording and writes its file. `secrets` are masked; it is `None` if everything would have to be.
    pub(super) async fn end(
        self,
        secrets: Option<Vec<String>>,
        say: &Sender<Reply>,
    ) -> Result<(), CallError> {
        self.recording.conceal(secrets);
        self.recording.finish(&*self.lease.stage().clock(), TimeLimit::of(None)).await;
        let stopped = self.lease.record(None).await;
        match self.recording.keep(&|line| tell(say, Reply::Note(line))) {
            Exit::Done => stopped,
            _ => Err(CallError::new(ErrorCode::InternalError, "the recording was not written")),
        }
    }
}
