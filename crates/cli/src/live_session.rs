//! Opens a browser and a session for the duration of one command.

use std::sync::Arc;

use actions_engine::browser::{Browser, Recorder, Replay, ReplayMiss};
use actions_engine::{CallError, CancellationToken, Engine, Secrets, Session};
use actions_primitives::Failure;
use actions_protocol::ErrorCode;
use serde_json::json;

use crate::interrupt;
use crate::live::{LiveOptions, context, context_options};
use crate::output::note;
use crate::text::visible;

/// How the network of a page is replayed, recorded and reported.
#[derive(Default)]
pub(crate) struct Network {
    /// The recording that answers requests.
    pub(crate) replay: Option<Arc<Replay>>,
    /// The recorder of live traffic.
    pub(crate) recorder: Option<Arc<Recorder>>,
    /// Whether failed requests become events.
    pub(crate) report_failures: bool,
}

impl Network {
    /// Warns about requests that the recording does not contain, with secrets masked. Skips the request that `error`
    /// already reports.
    pub(crate) fn warn_about_misses(&self, error: Option<&CallError>, secrets: &Secrets) {
        let misses = self.replay.iter().flat_map(|replay| replay.misses());
        for miss in misses.filter(|miss| !error.is_some_and(|error| is_about(error, miss, secrets))) {
            note(format_args!("warning: {}", visible(&secrets.mask(miss.to_string().as_str()))));
        }
    }
}

/// Whether an error reports this request. The evidence of an error is masked.
fn is_about(error: &CallError, miss: &ReplayMiss, secrets: &Secrets) -> bool {
    let is = |key: &str, text: &str| error.evidence.get(key) == Some(&json!(*secrets.mask(text)));
    error.code == ErrorCode::ReplayMiss
        && is("method", &miss.method)
        && is("address", &miss.url)
        && error.evidence.get("body") == Some(&json!(miss.body))
}

/// Opens a browser and a page, runs `work`, and closes both. Ctrl-C cancels the work. The browser has always exited
/// when this returns. Prints notes about the browser unless `quiet`.
pub(crate) async fn in_session<T>(
    engine: &Engine,
    live: &LiveOptions,
    quiet: bool,
    network: &Network,
    work: impl AsyncFnOnce(&Session, &dyn Browser, &CancellationToken) -> Result<T, CallError>,
) -> Result<T, CallError> {
    let cancel = CancellationToken::new();
    let _listening = interrupt::listen(cancel.clone());
    let opened = live.open(network.replay.is_some(), quiet, &cancel).await.ok_or_else(cancelled)?;
    let browser = opened.map_err(failed)?;
    let open = async {
        let options = context_options(engine, network);
        let context = context(&*browser, options).await.map_err(failed)?;
        engine.open_in(&*browser, context, live.url.as_deref()).await
    };
    // Cancelling drops a page that is still loading. A running call sees the token and ends by itself.
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

/// Runs a future to completion on a new runtime.
pub(crate) fn block_on<T>(work: impl Future<Output = Result<T, CallError>>) -> Result<T, CallError> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    match runtime {
        Ok(runtime) => runtime.block_on(work),
        Err(error) => Err(CallError::new(ErrorCode::InternalError, error.to_string())),
    }
}
