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
    // Made here: a signal that comes before the task runs is heard too.
    let mut signals = Signals::new();
    Listening(tokio::spawn(async move {
        signals.next().await;
        cancel.cancel();
        signals.next().await;
        std::process::exit(Exit::Failed as i32);
    }))
}

/// The signals that ask the program to end; none where they cannot be listened to.
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
