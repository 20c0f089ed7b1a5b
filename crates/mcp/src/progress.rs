//! Tells a client how far its call has come: the steps of the map, and nothing that a page says.

use std::sync::{Mutex, PoisonError};

use actions_engine::{EventKind, Observer, RunEvent};
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::RequestContext;
use rmcp::{Peer, RoleServer};
use tokio::sync::mpsc;

/// How many notifications may wait for a client that reads slowly. Later ones are dropped.
const WAITING: usize = 32;

/// How much further a step within a step brings a call.
const LITTLE: f64 = 0.01;

/// Turns the events of a call into notifications of progress.
pub(crate) struct Progress {
    wanted: Option<Wanted>,
}

struct Wanted {
    token: ProgressToken,
    sender: mpsc::Sender<ProgressNotificationParam>,
    last: Mutex<(f64, Option<f64>)>,
}

/// Sends the notifications of one call.
pub(crate) struct Sending {
    receiver: mpsc::Receiver<ProgressNotificationParam>,
    peer: Peer<RoleServer>,
}

impl Progress {
    /// The progress of a call, if its client wants to know.
    pub(crate) fn of(context: &RequestContext<RoleServer>) -> (Self, Option<Sending>) {
        let Some(token) = context.meta.get_progress_token() else { return (Self { wanted: None }, None) };
        let (sender, receiver) = mpsc::channel(WAITING);
        let wanted = Wanted { token, sender, last: Mutex::new((0.0, None)) };
        (Self { wanted: Some(wanted) }, Some(Sending { receiver, peer: context.peer.clone() }))
    }
}

impl Observer for Progress {
    fn event(&self, event: &RunEvent) {
        let Some(wanted) = &self.wanted else { return };
        let EventKind::StepStarted { step_id, primitive, number, of } = &event.kind else { return };
        let mut last = wanted.last.lock().unwrap_or_else(PoisonError::into_inner);
        let at = if event.within.is_empty() { *number as f64 } else { 0.0 };
        if event.within.is_empty() {
            last.1 = Some(*of as f64);
        }
        // Progress has to grow, also when a step is repeated.
        last.0 = if at > last.0 { at } else { last.0 + LITTLE };
        let mut said = ProgressNotificationParam::new(wanted.token.clone(), last.0);
        said.total = last.1.filter(|total| *total >= last.0);
        said.message = Some(format!("{step_id}: {primitive}"));
        // A client that reads slowly misses steps, not its answer.
        let _ = wanted.sender.try_send(said);
    }
}

impl Sending {
    /// Sends notifications until the call has ended.
    pub(crate) async fn run(mut self) {
        while let Some(said) = self.receiver.recv().await {
            if self.peer.notify_progress(said).await.is_err() {
                return;
            }
        }
    }
}

/// Waits for a call, and sends its progress meanwhile and what is left of it afterwards.
pub(crate) async fn with_progress<T>(
    progress: Progress,
    sending: Option<Sending>,
    call: impl AsyncFnOnce(&Progress) -> T,
) -> T {
    let Some(sending) = sending else { return call(&progress).await };
    let calling = async {
        let outcome = call(&progress).await;
        drop(progress);
        outcome
    };
    let (outcome, ()) = tokio::join!(calling, sending.run());
    outcome
}
