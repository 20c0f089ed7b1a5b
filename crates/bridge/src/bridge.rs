//! The bridge: clients on one side, the pages of a runtime on the other.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use actions_engine::{CancellationToken, PageId};
use actions_protocol::{ActionError, CallId, DomEvent, EventId, Item, RuntimeId};
use actions_runtime::{HeardSignal, Runtime, RuntimeEvent};
use serde_json::json;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::task::JoinSet;

use crate::client::{Client, Dismissal, Weight};
use crate::clients::Clients;
use crate::connection::Connection;
use crate::limits;
use crate::people::Pictures;
use crate::routing::Candidate;
use crate::served::Served;

/// The bridge. Clones are the same bridge.
#[derive(Clone)]
pub struct Bridge {
    pub(crate) shared: Arc<Shared>,
}

pub(crate) struct Shared {
    runtime: Runtime,
    served: Mutex<BTreeMap<RuntimeId, Arc<Served>>>,
    clients: Mutex<Clients>,
    tasks: Mutex<JoinSet<()>>,
    /// The last picture of each page, for people.
    pub(crate) pictures: Pictures,
    /// Cancelled when the bridge closes.
    ending: CancellationToken,
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
        let shared = Arc::new(Shared {
            runtime,
            served: Mutex::default(),
            clients: Mutex::default(),
            tasks: Mutex::default(),
            pictures: Pictures::default(),
            ending: CancellationToken::new(),
        });
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
        self.shared.ending.cancel();
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
        let mut tasks =
            std::mem::take(&mut *self.shared.tasks.lock().unwrap_or_else(PoisonError::into_inner));
        tasks.shutdown().await;
    }

    /// Closes the bridge, and then the runtime with its browsers.
    pub async fn end(self) {
        self.close().await;
        if let Some(shared) = Arc::into_inner(self.shared) {
            shared.runtime.close().await;
        }
    }
}

impl Shared {
    pub(crate) fn served(&self) -> MutexGuard<'_, BTreeMap<RuntimeId, Arc<Served>>> {
        self.served.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn clients(&self) -> MutexGuard<'_, Clients> {
        self.clients.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn connected(&self) -> Vec<Arc<Client>> {
        self.clients().connected.clone()
    }

    pub(crate) fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        let mut tasks = self.tasks.lock().unwrap_or_else(PoisonError::into_inner);
        while tasks.try_join_next().is_some() {}
        tasks.spawn(task);
    }

    /// Sends an item to every client.
    pub(crate) fn announce(&self, item: &Item, weight: Weight) {
        let text: Arc<str> = item.to_json().into();
        // An error that answers no call tells of a signal, as an event does.
        let is_event = matches!(item, Item::DomEvent(_) | Item::ActionError(_));
        for client in self.connected() {
            if client.hears_events || !is_event {
                client.tell(Arc::clone(&text), weight);
            }
        }
    }

    /// Makes runtimes of the pages that have opened, and removes those whose pages have closed.
    fn reconcile(self: &Arc<Self>) {
        let mut open: Vec<RuntimeId> = Vec::new();
        for (window, session) in self.runtime.sessions().iter().enumerate() {
            for page in session.pages() {
                let Ok(id) = RuntimeId::parse(&page.runtime_id) else { continue };
                open.push(id.clone());
                let known = self.served().get(&id).cloned();
                if let Some(served) = known {
                    if served.note(&page) {
                        self.announce(&served.ready(), Weight::Kept);
                    }
                    continue;
                }
                let window = i64::try_from(window + 1).unwrap_or(i64::MAX);
                let Some((served, orders)) = Served::new(session, &page, window) else { continue };
                self.served().insert(id, Arc::clone(&served));
                self.announce(&served.ready(), Weight::Kept);
                let shared = Arc::downgrade(self);
                self.spawn(async move {
                    let news = |served: &Served, is_new_page: bool| {
                        let Some(shared) = shared.upgrade() else { return };
                        if is_new_page {
                            shared.announce(&served.ready(), Weight::Kept);
                        }
                        shared.announce(&served.status(), Weight::Passing);
                    };
                    served.work(orders, news).await;
                });
            }
        }
        let closed: Vec<Arc<Served>> = {
            let mut served = self.served();
            let ids: Vec<RuntimeId> = served.keys().filter(|id| !open.contains(id)).cloned().collect();
            ids.iter().filter_map(|id| served.remove(id)).collect()
        };
        for served in closed {
            served.gone.cancel();
            self.pictures.forget(&served.runtime_id);
            self.announce(&served.removed(), Weight::Kept);
        }
    }

    /// The runtime of a page.
    fn page(&self, session: &str, page: PageId) -> Option<Arc<Served>> {
        let is_it = |served: &&Arc<Served>| served.page == page && served.session.name() == session;
        self.served().values().find(is_it).cloned()
    }

    /// Completes when the bridge closes.
    pub(crate) fn ending(&self) -> CancellationToken {
        self.ending.clone()
    }

    /// Cancels a call, whichever client made it.
    pub(crate) fn cancel(&self, call_id: &CallId) {
        self.connected().iter().for_each(|client| client.cancel(call_id));
    }

    /// Reports every runtime.
    pub(crate) fn statuses(&self) -> Vec<Item> {
        self.served().values().map(|served| served.status()).collect()
    }

    /// Announces every runtime.
    pub(crate) fn announcements(&self) -> Vec<Item> {
        self.served().values().map(|served| served.ready()).collect()
    }

    pub(crate) fn candidates(&self) -> (Vec<Arc<Served>>, Vec<Candidate>) {
        let served: Vec<Arc<Served>> = self.served().values().cloned().collect();
        let candidates = served.iter().map(|served| served.candidate()).collect();
        (served, candidates)
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
            Ok(RuntimeEvent::AttachmentsChanged { session, page }) => {
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
