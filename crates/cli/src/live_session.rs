//! A map on a page for the time of one command.

use std::sync::Arc;

use actions_engine::browser::{Browser, Recorder, Replay};
use actions_engine::{CallError, CancellationToken, Engine, Session};
use actions_protocol::ErrorCode;

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
    /// Tells which requests the recording does not hold; what a call failed for is told by its error.
    pub(crate) fn tell_misses(&self, error: Option<&CallError>) {
        let misses = self.replay.iter().flat_map(|replay| replay.misses()).map(|miss| miss.to_string());
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
    let stop = cancel.clone();
    let interrupted = tokio::spawn(async move {
        if tokio::signal::ctrl_c().await.is_ok() {
            stop.cancel();
        }
    });
    let browser = live.open().await.map_err(failed)?;
    let page = async {
        let options = context_options(engine, network.replay.clone(), network.recorder.clone());
        let context = context(&*browser, options).await.map_err(failed)?;
        let session = engine.open(&*browser, context, live.url.as_deref()).await?;
        let result = work(&session, &*browser, &cancel).await;
        session.close().await;
        result
    };
    let result = tokio::select! {
        result = page => result,
        () = interrupted_early(&cancel) => Err(CallError::new(ErrorCode::Cancelled, "the call was cancelled")),
    };
    browser.close().await;
    interrupted.abort();
    result
}

/// Ends the wait for a page that is still loading when the person gives up; a running call ends by itself.
async fn interrupted_early(cancel: &CancellationToken) {
    cancel.cancelled().await;
    tokio::time::sleep(std::time::Duration::from_secs(1)).await;
}

fn failed(error: actions_engine::browser::Error) -> CallError {
    CallError::new(error.code(), error.to_string())
}

/// Runs a command's work to its end.
pub(crate) fn block_on<T>(work: impl Future<Output = Result<T, CallError>>) -> Result<T, CallError> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    match runtime {
        Ok(runtime) => runtime.block_on(work),
        Err(error) => Err(CallError::new(ErrorCode::InternalError, error.to_string())),
    }
}
