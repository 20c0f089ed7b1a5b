//! Opens a browser and a session for the duration of one command.

use actions_engine::browser::{Browser, ContextOptions};
use actions_engine::{CallError, CancellationToken, Engine, Session};
use actions_primitives::Failure;
use actions_protocol::ErrorCode;

use crate::identity_options::{Ended, keep};
use crate::interrupt;
use crate::live::{LiveOptions, context, context_options};
use crate::network::Network;

/// Opens a browser and a page, runs `work`, and closes both. Ctrl-C cancels the work, and the time of the command ends
/// everything. The browser has exited when this returns, unless it took more time than the command has. Prints notes about
/// the browser unless `quiet`.
pub(crate) async fn in_session<T: Ended>(
    engine: &Engine,
    live: &LiveOptions,
    quiet: bool,
    network: &Network,
    work: impl AsyncFnOnce(&Session, &dyn Browser, &CancellationToken) -> Result<T, CallError>,
) -> Result<T, CallError> {
    let time = live.time();
    let engine = &time.work().into_iter().fold(engine.clone(), Engine::ending_at);
    let identity = live.identity.loaded()?;
    let kept = live.identity.reserved()?;
    let cancel = CancellationToken::new();
    let _listening = interrupt::listen(cancel.clone());
    let is_replay = network.replay.is_some();
    // The policy of the site arrives while the browser starts. It is asked for again where it is needed, so its end is not
    // waited for.
    let opened = {
        let opening = live.open(is_replay, quiet, &cancel);
        tokio::pin!(opening);
        tokio::select! {
            opened = &mut opening => opened?,
            () = live.prepare(engine, is_replay) => opening.await?,
        }
    };
    let browser = opened.ok_or_else(cancelled)?;
    let open = Box::pin(async {
        let user_agent_suffix = live.user_agent_suffix(is_replay);
        let options =
            ContextOptions { storage_state: identity, user_agent_suffix, ..context_options(engine, network) };
        let context = context(&*browser, options, time).await.map_err(failed)?;
        engine.open_in(&*browser, context, live.url.as_deref()).await
    });
    // Cancelling drops a page that is still loading. A running call sees the token and ends by itself.
    let session = tokio::select! {
        biased;
        () = cancel.cancelled() => Err(cancelled()),
        session = time.cutting_off(|| "the page did not open".to_owned(), open) => session.and_then(|opened| opened),
    };
    let result = match &session {
        Ok(session) => {
            let work = Box::pin(work(session, &*browser, &cancel));
            let done = time.cutting_off(|| "the command did not finish".to_owned(), work).await;
            done.unwrap_or_else(|mut error| {
                // What was cut off says nothing of what it had done.
                error.mutated = true;
                Err(error)
            })
        }
        Err(error) => Err(error.clone()),
    };
    let result = match (result, &session, kept) {
        (Ok(done), Ok(session), Some(file)) if done.succeeded() => {
            let saving = async { keep(file, &session.storage_state(None).await?) };
            let saved =
                time.cutting_off(|| "the storage state was not read".to_owned(), Box::pin(saving)).await;
            saved.and_then(|saved| saved).map(|()| done)
        }
        (result, _, _) => result,
    };
    // It closes the context of the session. The session must not begin to do the same by itself.
    browser.close_by(time.closing()).await;
    drop(session);
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
        Ok(runtime) => {
            let result = runtime.block_on(work);
            // Whatever still runs, such as the lookup of a name, must not hold up the end.
            runtime.shutdown_background();
            result
        }
        Err(error) => Err(CallError::new(ErrorCode::InternalError, error.to_string())),
    }
}
