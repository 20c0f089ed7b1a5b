//! Handles SIGINT and SIGTERM: the first cancels the call, the second exits at once.

use actions_engine::CancellationToken;
use actions_protocol::Exit;
use tokio::task::JoinHandle;

/// Listens for signals until it is dropped.
pub(crate) struct Listening(JoinHandle<()>);

impl Drop for Listening {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Cancels `cancel` at the first signal and exits at the second. The browser keeper ends the browser in either case.
pub(crate) fn listen(cancel: CancellationToken) -> Listening {
    // Created before the task runs, so that an early signal is not missed.
    let mut signals = Signals::new();
    Listening(tokio::spawn(async move {
        signals.next().await;
        cancel.cancel();
        signals.next().await;
        std::process::exit(Exit::Failed as i32);
    }))
}

/// The signals that ask the program to end; `None` if they cannot be handled.
#[cfg(unix)]
struct Signals(Option<[tokio::signal::unix::Signal; 2]>);

#[cfg(unix)]
impl Signals {
    fn new() -> Self {
        use tokio::signal::unix::{SignalKind, signal};
        match (signal(SignalKind::interrupt()), signal(SignalKind::terminate())) {
            (Ok(interrupt), Ok(terminate)) => Self(Some([interrupt, terminate])),
            _ => Self(None),
        }
    }

    async fn next(&mut self) {
        let Some([interrupt, terminate]) = &mut self.0 else { return std::future::pending().await };
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    }
}

#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    fn new() -> Self {
        Self
    }

    async fn next(&mut self) {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}
