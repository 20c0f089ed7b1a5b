//! Ctrl-C and a polite kill end a call in good order; a second one ends the program.

use actions_engine::CancellationToken;
use actions_protocol::Exit;
use tokio::task::JoinHandle;

/// Listens for as long as it lives.
pub(crate) struct Listening(JoinHandle<()>);

impl Drop for Listening {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Cancels at the first signal; at the second the program ends at once. What keeps the browser ends it in either case.
pub(crate) fn listen(cancel: CancellationToken) -> Listening {
    Listening(tokio::spawn(async move {
        signalled().await;
        cancel.cancel();
        signalled().await;
        std::process::exit(Exit::Failed as i32);
    }))
}

#[cfg(unix)]
async fn signalled() {
    use tokio::signal::unix::{SignalKind, signal};
    let (Ok(mut interrupt), Ok(mut terminate)) =
        (signal(SignalKind::interrupt()), signal(SignalKind::terminate()))
    else {
        return std::future::pending().await;
    };
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
    }
}

#[cfg(not(unix))]
async fn signalled() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
