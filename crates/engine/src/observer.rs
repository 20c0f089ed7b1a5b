//! The port through which a caller follows what happens during a call.

use actions_trace::{RunEvent, TraceRecorder};
use tokio::sync::mpsc::UnboundedSender;

/// Receives the events of a call, in order. It must not block.
pub trait Observer: Send + Sync {
    /// Receives an event.
    fn event(&self, event: &RunEvent);
}

/// Ignores every event.
impl Observer for () {
    fn event(&self, _: &RunEvent) {}
}

impl<F: Fn(&RunEvent) + Send + Sync> Observer for F {
    fn event(&self, event: &RunEvent) {
        self(event);
    }
}

impl Observer for TraceRecorder {
    fn event(&self, event: &RunEvent) {
        self.record(event);
    }
}

/// A channel. Its receiver may be slow, and may be dropped.
///
/// ```
/// use actions_engine::{EventKind, Session};
/// use tokio::sync::mpsc;
///
/// async fn watched(session: &Session) {
///     let (events, mut stream) = mpsc::unbounded_channel();
///     let call = async {
///         let outcome = session.call("search.submit").observer(&events).run().await;
///         drop(events);
///         outcome
///     };
///     let watch = async {
///         while let Some(event) = stream.recv().await {
///             if let EventKind::StepFinished { summary, .. } = event.kind {
///                 println!("{}: {}", summary.id, summary.ok);
///             }
///         }
///     };
///     let (outcome, ()) = tokio::join!(call, watch);
///     println!("{:?}", outcome.result);
/// }
/// ```
impl Observer for UnboundedSender<RunEvent> {
    fn event(&self, event: &RunEvent) {
        // The receiver may be gone; the call continues.
        let _ = self.send(event.clone());
    }
}
