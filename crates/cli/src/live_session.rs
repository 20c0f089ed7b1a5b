//! Opens a browser and a session for the duration of one command.

use actions_engine::browser::Browser;
use actions_engine::{CallError, CancellationToken, Engine, Session};
use actions_primitives::Failure;
use actions_protocol::ErrorCode;

use crate::interrupt;
use crate::live::{LiveOptions, context, context_options};
use crate::network::Network;

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
