//! Handles SIGINT, SIGTERM and SIGHUP: the first cancels the call, the second exits at once.

#[cfg(unix)]
use std::task::{Context, Poll};

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

/// The signals that ask the program to end. A signal that cannot be handled, or that the caller wants ignored, is
/// missing.
#[cfg(unix)]
struct Signals(Vec<tokio::signal::unix::Signal>);

#[cfg(unix)]
impl Signals {
    fn new() -> Self {
        use tokio::signal::unix::{SignalKind, signal};
        let hangup = (!hangup_is_ignored()).then(SignalKind::hangup);
        let kinds = [SignalKind::interrupt(), SignalKind::terminate()].into_iter().chain(hangup);
        Self(kinds.filter_map(|kind| signal(kind).ok()).collect())
    }

    async fn next(&mut self) {
        let any = |context: &mut Context<'_>| {
            let came = self.0.iter_mut().any(|signal| signal.poll_recv(context).is_ready());
            if came { Poll::Ready(()) } else { Poll::Pending }
        };
        std::future::poll_fn(any).await;
    }
}

/// Whether this process was started to survive its terminal, as by `nohup`.
#[cfg(unix)]
fn hangup_is_ignored() -> bool {
    const HANGUP: u64 = 1;
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask & HANGUP != 0)
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
