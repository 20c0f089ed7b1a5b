//! A map on a page for the time of one command.

use std::sync::Arc;

use actions_engine::browser::{Browser, Recorder, Replay};
use actions_engine::{CallError, CancellationToken, Engine, Secrets, Session};
use actions_primitives::Failure;
use actions_protocol::ErrorCode;

use crate::interrupt;
use crate::live::{LiveOptions, context, context_options};
use crate::output::note;
use crate::text::visible;

/// What stands between the page and the network.
#[derive(Default)]
pub(crate) struct Network {
    /// The recording that is the network.
    pub(crate) replay: Option<Arc<Replay>>,
    /// What keeps what the network says.
    pub(crate) recorder: Option<Arc<Recorder>>,
}

impl Network {
    /// Tells which requests the recording does not hold; what a call failed for is told by its error. Nothing is told
    /// of the secrets.
    pub(crate) fn tell_misses(&self, error: Option<&CallError>, secrets: &Secrets) {
        let misses = self.replay.iter().flat_map(|replay| replay.misses());
        let misses = misses.map(|miss| secrets.mask(miss.to_string().as_str()).into_inner());
        for miss in misses.filter(|miss| error.is_none_or(|error| error.message != *miss)) {
            note(format_args!("warning: {}", visible(&miss)));
        }
    }
}

/// Opens a browser and a page, works on it, and closes both. Ctrl-C cancels the work; the browser is gone when this
/// returns, whatever happened.
pub(crate) async fn in_session<T>(
    engine: &Engine,
    live: &LiveOptions,
    network: &Network,
    work: impl AsyncFnOnce(&Session, &dyn Browser, &CancellationToken) -> Result<T, CallError>,
) -> Result<T, CallError> {
    let cancel = CancellationToken::new();
    let _listening = interrupt::listen(cancel.clone());
    let opened = live.open(network.replay.is_some(), &cancel).await.ok_or_else(cancelled)?;
    let browser = opened.map_err(failed)?;
    let open = async {
        let options = context_options(engine, network.replay.clone(), network.recorder.clone());
        let context = context(&*browser, options).await.map_err(failed)?;
        engine.open_in(&*browser, context, live.url.as_deref()).await
    };
    // A page that is still loading is given up; a running call ends by itself.
    let session = tokio::select! {
        biased;
        () = cancel.cancelled() => Err(cancelled()),
        session = open => session,
    };
    let result = match session {
        Ok(session) => {
            let result = work(&session, &*browser, &cancel).await;
            session.close().await;
            result
        }
        Err(error) => Err(error),
    };
    browser.close().await;
    result
}

fn cancelled() -> CallError {
    CallError::new(ErrorCode::Cancelled, "the call was cancelled")
}

fn failed(error: actions_engine::browser::Error) -> CallError {
    CallError::from(Failure::from(error))
}

/// Runs a command's work to its end.
pub(crate) fn block_on<T>(work: impl Future<Output = Result<T, CallError>>) -> Result<T, CallError> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    match runtime {
        Ok(runtime) => runtime.block_on(work),
        Err(error) => Err(CallError::new(ErrorCode::InternalError, error.to_string())),
    }
}
