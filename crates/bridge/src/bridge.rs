//! The bridge: clients on one side, the pages of a runtime on the other.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use actions_protocol::{ActionError, DomEvent, EventId, Item, RuntimeId};
use actions_runtime::{HeardSignal, Runtime, RuntimeEvent};
use serde_json::json;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;

use crate::client::{Dismissal, Weight};
use crate::connection::Connection;
use crate::limits;
use crate::served::Served;
use crate::shared::Shared;

/// The bridge. Clones are the same bridge.
#[derive(Clone)]
pub struct Bridge {
    pub(crate) shared: Arc<Shared>,
}

impl std::fmt::Debug for Bridge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let ids: Vec<RuntimeId> = self.shared.served().keys().cloned().collect();
        f.debug_struct("Bridge").field("runtimes", &ids).finish_non_exhaustive()
    }
}

impl Bridge {
    /// Serves the pages of a runtime: those that are open, and those that open later. Looks at the open ones first.
    pub async fn new(runtime: Runtime) -> Self {
        let events = runtime.events();
        let shared = Arc::new(Shared::new(runtime));
        shared.reconcile();
        let open: Vec<Arc<Served>> = shared.served().values().cloned().collect();
        for served in open {
            served.look().await;
        }
        shared.spawn(follow(events, Arc::downgrade(&shared)));
        shared.spawn(beat(Arc::downgrade(&shared)));
        Self { shared }
    }

    /// The runtime whose pages are served.
    pub fn runtime(&self) -> &Runtime {
        &self.shared.runtime
    }

    /// Connects a client. One with a name is the same client as the one that had this name before: it gets the answers that it
    /// missed, and a connection that it still has ends.
    pub fn connect(&self, name: Option<String>) -> Connection {
        let client = self.shared.clients().client(name, true);
        Connection::begin(Arc::clone(&self.shared), client)
    }

    /// Ends every connection and every call. Returns when the answers are written, or after a few seconds. The runtime goes
    /// on.
    pub async fn close(&self) {
        self.shared.ending().cancel();
        let clients = self.shared.connected();
        clients.iter().for_each(|client| client.cancel_all());
        let ended = async {
            for client in &clients {
                client.idle().await;
                client.dismiss(Dismissal::Closing);
                client.disconnected().await;
            }
        };
        // A client that does not read its answers does not keep the bridge open.
        let _ = tokio::time::timeout(limits::ENDING, ended).await;
        for served in self.shared.served().values() {
            served.gone.cancel();
        }
        self.shared.end_tasks().await;
    }

    /// Closes the bridge, and then the runtime with its browsers.
    pub async fn end(self) {
        self.close().await;
        if let Some(shared) = Arc::into_inner(self.shared) {
            shared.runtime.close().await;
        }
    }
}

/// Follows the events of the runtime.
async fn follow(mut events: Receiver<RuntimeEvent>, shared: std::sync::Weak<Shared>) {
    loop {
        let event = events.recv().await;
        let Some(shared) = shared.upgrade() else { return };
        match event {
            Ok(RuntimeEvent::Call { .. } | RuntimeEvent::CallEnded { .. }) => {}
            Ok(RuntimeEvent::Signal { session, page, signal }) => {
                if let Some(served) = shared.page(&session, page) {
                    shared.announce(&dom_event(&served, *signal), Weight::Passing);
                    served.look_soon();
                }
            }
            Ok(RuntimeEvent::SignalRejected { session, page, name, error }) => {
                if let Some(served) = shared.page(&session, page) {
                    let error = error.with_evidence("signal", name);
                    let item = ActionError::new(error.to_error_object());
                    shared.announce(&item.in_runtime(served.runtime_id.clone()).into(), Weight::Passing);
                }
            }
            Ok(
                RuntimeEvent::AttachmentsChanged { session, page }
                | RuntimeEvent::SignalsDropped { session, page, .. },
            ) => {
                if let Some(served) = shared.page(&session, page) {
                    shared.announce(&served.status(), Weight::Passing);
                }
            }
            Ok(RuntimeEvent::BrowserLost { .. }) => {
                shared.statuses().iter().for_each(|status| shared.announce(status, Weight::Kept));
            }
            // Whatever was missed, the pages are as they are now.
            Ok(_) | Err(RecvError::Lagged(_)) => shared.reconcile(),
            Err(RecvError::Closed) => return,
        }
    }
}

/// A signal as an item. What the page said is data, and is marked as such.
fn dom_event(served: &Served, signal: HeardSignal) -> Item {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let id = EventId::parse(&format!("{}-event-{number}", served.runtime_id));
    let id = id.unwrap_or_else(|_| EventId::parse(&format!("event-{number}")).expect("letters and digits"));
    let mut event = DomEvent::new(id, served.runtime_id.clone(), signal.name, signal.payload);
    event.event = Some(signal.event);
    event.url = Some(signal.url);
    event.previous_call_id = signal.previous_call_id;
    event.observed_at = Some(signal.observed_at);
    event.extra.insert("untrusted".to_owned(), json!(true));
    event.into()
}

/// Sends heartbeats.
async fn beat(shared: std::sync::Weak<Shared>) {
    loop {
        tokio::time::sleep(limits::HEARTBEAT).await;
        let Some(shared) = shared.upgrade() else { return };
        shared.statuses().iter().for_each(|status| shared.announce(status, Weight::Passing));
    }
}
