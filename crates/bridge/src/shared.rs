//! What the connections of a bridge and its pages share: the runtimes, the clients, and the tasks that serve them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use actions_engine::{CancellationToken, PageId};
use actions_protocol::{CallId, Item, RuntimeId};
use actions_runtime::Runtime;
use tokio::task::JoinSet;

use crate::client::{Client, Weight};
use crate::clients::Clients;
use crate::pictures::Pictures;
use crate::routing::Candidate;
use crate::served::Served;

/// What the connections of a bridge and its pages share.
pub(crate) struct Shared {
    pub(crate) runtime: Runtime,
    served: Mutex<BTreeMap<RuntimeId, Arc<Served>>>,
    clients: Mutex<Clients>,
    tasks: Mutex<JoinSet<()>>,
    /// The last picture of each page, for people.
    pub(crate) pictures: Pictures,
    /// Cancelled when the bridge closes.
    ending: CancellationToken,
}

impl Shared {
    pub(crate) fn new(runtime: Runtime) -> Self {
        Self {
            runtime,
            served: Mutex::default(),
            clients: Mutex::default(),
            tasks: Mutex::default(),
            pictures: Pictures::default(),
            ending: CancellationToken::new(),
        }
    }

    pub(crate) fn served(&self) -> MutexGuard<'_, BTreeMap<RuntimeId, Arc<Served>>> {
        self.served.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn clients(&self) -> MutexGuard<'_, Clients> {
        self.clients.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The clients that are connected.
    pub(crate) fn connected(&self) -> Vec<Arc<Client>> {
        self.clients().connected.clone()
    }

    pub(crate) fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        let mut tasks = self.tasks.lock().unwrap_or_else(PoisonError::into_inner);
        while tasks.try_join_next().is_some() {}
        tasks.spawn(task);
    }

    /// Ends every task and waits for their ends.
    pub(crate) async fn end_tasks(&self) {
        let mut tasks = std::mem::take(&mut *self.tasks.lock().unwrap_or_else(PoisonError::into_inner));
        tasks.shutdown().await;
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
    pub(crate) fn reconcile(self: &Arc<Self>) {
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
    pub(crate) fn page(&self, session: &str, page: PageId) -> Option<Arc<Served>> {
        let is_it = |served: &&Arc<Served>| served.page == page && served.session.name() == session;
        self.served().values().find(is_it).cloned()
    }

    /// Cancelled when the bridge closes.
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
