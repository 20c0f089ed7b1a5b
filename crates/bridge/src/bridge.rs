//! The bridge: clients on one side, the pages of a runtime on the other.

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, HashMap};
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use actions_dictionary::Dictionary;
use actions_engine::{CallError, ErrorCode, ErrorObject, Millis, SiteRequest};
use actions_protocol::{ActionCall, ActionError, CallId, Item, RuntimeId};
use actions_runtime::{Runtime, RuntimeEvent};
use serde_json::Value;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::task::JoinSet;

use crate::client::{Client, Dismissal, Weight};
use crate::limits;
use crate::memory::Known;
use crate::order::{Order, Work};
use crate::routing::{Candidate, Wanted};
use crate::served::Served;

/// How long a client should wait before it calls again when too many calls wait.
const AGAIN: Millis = Millis(1_000);

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
}

#[derive(Default)]
struct Clients {
    /// Clients with a name, connected or not, with the order in which they came.
    named: HashMap<String, (u64, Arc<Client>)>,
    arrivals: u64,
    connected: Vec<Arc<Client>>,
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
        let client = self.shared.client(name, true);
        Connection::begin(Arc::clone(&self.shared), client)
    }

    /// Ends every connection and every call. Returns when the answers are written, or after a few seconds. The runtime goes
    /// on.
    pub async fn close(&self) {
        let clients = self.shared.connected();
        clients.iter().for_each(|client| client.cancel_all());
        let ended = async {
            for client in &clients {
                while client.pending() > 0 {
                    tokio::time::sleep(std::time::Duration::from_millis(5)).await;
                }
                client.dismiss(Dismissal::Closing);
                while client.is_connected() {
                    tokio::time::sleep(std::time::Duration::from_millis(5)).await;
                }
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

    fn clients(&self) -> MutexGuard<'_, Clients> {
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

    /// The client of a name, or a new one.
    pub(crate) fn client(&self, name: Option<String>, hears_events: bool) -> Arc<Client> {
        let mut clients = self.clients();
        clients.arrivals += 1;
        let arrival = clients.arrivals;
        let client = match &name {
            Some(name) => {
                let new = || (arrival, Client::new(Some(name.clone()), hears_events));
                let (last, client) = clients.named.entry(name.clone()).or_insert_with(new);
                *last = arrival;
                Arc::clone(client)
            }
            None => Client::new(None, hears_events),
        };
        while clients.named.len() > limits::NAMED_CLIENTS {
            let gone = clients.named.iter().filter(|(_, (_, client))| !client.is_connected());
            let gone =
                gone.filter(|(known, _)| name.as_ref() != Some(known)).min_by_key(|(_, (last, _))| *last);
            let Some(gone) = gone.map(|(known, _)| known.clone()) else { break };
            clients.named.remove(&gone);
        }
        if !clients.connected.iter().any(|known| Arc::ptr_eq(known, &client)) {
            clients.connected.push(Arc::clone(&client));
        }
        client
    }

    /// Sends an item to every client.
    pub(crate) fn announce(&self, item: &Item, weight: Weight) {
        let text: Arc<str> = item.to_json().into();
        let is_event = matches!(item, Item::DomEvent(_));
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
            self.announce(&served.removed(), Weight::Kept);
        }
    }

    /// Reports every runtime.
    pub(crate) fn statuses(&self) -> Vec<Item> {
        self.served().values().map(|served| served.status()).collect()
    }

    fn candidates(&self) -> (Vec<Arc<Served>>, Vec<Candidate>) {
        let served: Vec<Arc<Served>> = self.served().values().cloned().collect();
        let candidates = served.iter().map(|served| served.candidate()).collect();
        (served, candidates)
    }

    /// Accepts a call, or answers it at once.
    pub(crate) fn submit(&self, client: &Arc<Client>, request: Request) {
        let Request { call_id, action, wanted, work, limit, bytes, digest } = request;
        match client.begin(&call_id, digest) {
            Known::New => {}
            Known::Pending => return,
            Known::Answered(answer) => return client.answer_again(answer),
            Known::Forgotten => {
                let message = "the call was answered before, and its answer is not kept any more";
                let error = ErrorObject::new(ErrorCode::InvalidInput, message)
                    .with_next_step("look at the page, and call again under a new call id if that is needed");
                return tell(client, ActionError::new(error).for_call(call_id));
            }
            Known::Other { pending } => {
                let message = format!("the call id `{call_id}` was used for another call");
                let error = ErrorObject::new(ErrorCode::InvalidInput, message)
                    .with_evidence("call_id", call_id.as_str())
                    .with_next_step("give every call an id of its own");
                let error = ActionError::new(error);
                // The other call is still going to be answered under this id.
                let error = if pending { error } else { error.for_call(call_id) };
                return tell(client, error);
            }
        }
        let refuse = |runtime_id: Option<&RuntimeId>, error: &ErrorObject| {
            let answer = ActionError::new(error.clone()).for_call(call_id.clone());
            let answer = runtime_id.cloned().into_iter().fold(answer, ActionError::in_runtime);
            client.answer(&call_id, &answer.into());
        };
        let (served, candidates) = self.candidates();
        let served = match wanted.choose(&candidates) {
            Ok(at) => &served[at],
            Err(error) => return refuse(None, &error.to_error_object()),
        };
        let runtime_id = served.runtime_id.clone();
        let work = match work {
            Ok(work) => work.of(served),
            Err(error) => Err(error),
        };
        let work = match work {
            Ok(work) => work,
            Err(error) => return refuse(Some(&runtime_id), &error.to_error_object()),
        };
        let busy = |message: &str| {
            ErrorObject::new(ErrorCode::RuntimeNotReady, message)
                .with_retry_after(AGAIN)
                .with_next_step("wait for answers, then call again under a new call id")
        };
        let Some(cancel) = client.admit(&call_id, &runtime_id, bytes) else {
            return refuse(
                Some(&runtime_id),
                &busy("too many calls of this client wait for this page or run"),
            );
        };
        let client = Arc::clone(client);
        let since = Instant::now();
        let order = Order { client, call_id, runtime_id, action, work, limit, since, cancel };
        if let Err(order) = served.take(order) {
            let error = match served.gone.is_cancelled() {
                true => served.closed().to_error_object(),
                false => busy("too many calls wait for this page"),
            };
            let answer = ActionError::new(error).for_call(order.call_id.clone());
            order.client.answer(&order.call_id, &answer.in_runtime(order.runtime_id.clone()).into());
        }
    }
}

/// A call as it arrived.
pub(crate) struct Request {
    pub(crate) call_id: CallId,
    pub(crate) action: String,
    pub(crate) wanted: Wanted,
    pub(crate) work: Result<Asked, CallError>,
    pub(crate) limit: Option<Millis>,
    pub(crate) bytes: usize,
    pub(crate) digest: u64,
}

/// What a call asks for, before it is known which maps it is about.
pub(crate) enum Asked {
    /// A tool or a primitive.
    Named { name: String, arguments: Value },
    /// A request of `actions.site`.
    Site(SiteRequest),
}

impl Asked {
    /// What a name and arguments ask for.
    pub(crate) fn named(name: String, arguments: Value) -> Result<Self, CallError> {
        match name.as_str() {
            "actions.site" => SiteRequest::from_arguments(arguments).map(Self::Site),
            _ => Ok(Self::Named { name, arguments }),
        }
    }

    /// A tool of the maps comes before a primitive of the same name.
    fn of(self, served: &Served) -> Result<Work, CallError> {
        Ok(match self {
            Self::Site(SiteRequest::List) => Work::List,
            Self::Site(SiteRequest::Call { action, arguments, .. }) => {
                Work::Tool { tool: action, arguments, map: None }
            }
            Self::Site(request) => {
                let (SiteRequest::StateRead { projection, .. }
                | SiteRequest::StateSummary { projection, .. }
                | SiteRequest::StateDiff { projection, .. }) = &request
                else {
                    let message = "this version does not know the mode";
                    return Err(CallError::new(ErrorCode::InvalidInput, message));
                };
                let projection = projection.clone();
                Work::State { request, projection, map: None }
            }
            Self::Named { name, arguments } => {
                let is_tool =
                    served.session.views().iter().any(|view| view.map().manifest().tool(&name).is_some());
                match !is_tool && Dictionary::builtin().get(&name).is_some() {
                    true => Work::Primitive { primitive: name, arguments },
                    false => Work::Tool { tool: name, arguments, map: None },
                }
            }
        })
    }
}

/// Sends an error that is no first answer to a call.
fn tell(client: &Client, error: ActionError) {
    client.tell(Item::from(error).to_json().into(), Weight::Kept);
}

/// Tells one text from another.
pub(crate) fn digest(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// A connection of a client. Dropping it ends it; calls that have begun run to their end.
pub struct Connection {
    shared: Arc<Shared>,
    client: Arc<Client>,
    number: u64,
}

impl Connection {
    pub(crate) fn begin(shared: Arc<Shared>, client: Arc<Client>) -> Self {
        // Locked until the client is connected: a page that opens meanwhile is announced after that.
        let served = shared.served();
        let ready = served.values().map(|served| served.ready().to_json().into()).collect();
        let number = client.connect(ready);
        drop(served);
        Self { shared, client, number }
    }

    /// Takes what the client sent. Never waits.
    pub fn receive(&self, text: &str) {
        let item = Item::parse(text);
        self.client.judge(item.is_ok());
        match item {
            Ok(Item::ActionCall(call)) => self.call(call, text.len()),
            Ok(Item::ActionCancel(cancel)) => self.client.cancel(&cancel.call_id),
            Ok(_) => {
                let message = "a client sends `action_call` and `action_cancel`; other items are sent to it";
                tell(&self.client, ActionError::new(ErrorObject::new(ErrorCode::InvalidInput, message)));
            }
            Err(error) => {
                let answer = ActionError::new(error.to_error_object());
                let call_id = error.call_id().filter(|id| !self.client.is_pending(id)).cloned();
                tell(&self.client, call_id.into_iter().fold(answer, ActionError::for_call));
            }
        }
    }

    fn call(&self, call: ActionCall, bytes: usize) {
        let wanted = Wanted::of(&call);
        let digest = digest(&Item::from(call.clone()).to_json());
        let ActionCall { call_id, name, arguments, timeout_ms, .. } = call;
        let work = Asked::named(name.clone(), Value::Object(arguments));
        let limit = timeout_ms.or(match &work {
            Ok(Asked::Site(SiteRequest::Call { timeout, .. })) => *timeout,
            _ => None,
        });
        let request = Request { call_id, action: name, wanted, work, limit, bytes, digest };
        self.shared.submit(&self.client, request);
    }

    /// Tells the client that a message of it was too large to be read.
    pub fn refuse_large(&self) {
        let message = format!("the message has more than {}, which is the limit", limits::ITEM);
        tell(&self.client, ActionError::new(ErrorObject::new(ErrorCode::PayloadTooLarge, message)));
    }

    /// The next item for the client. It counts as sent after [`Connection::written`]. An error says why the connection
    /// ends.
    pub async fn next(&self) -> Result<Arc<str>, Dismissal> {
        self.client.next(self.number).await
    }

    /// Notes that the item of the last [`Connection::next`] was written.
    pub fn written(&self) {
        self.client.written(self.number);
    }

    /// Waits until every call of the client is answered and every item is written.
    pub async fn settled(&self) {
        self.client.settled(self.number).await;
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.client.disconnect(self.number);
        self.shared.clients().connected.retain(|client| client.is_connected());
    }
}

/// Follows the events of the runtime.
async fn follow(mut events: Receiver<RuntimeEvent>, shared: std::sync::Weak<Shared>) {
    loop {
        let event = events.recv().await;
        let Some(shared) = shared.upgrade() else { return };
        match event {
            Ok(RuntimeEvent::Call { .. } | RuntimeEvent::CallEnded { .. }) => {}
            Ok(RuntimeEvent::BrowserLost { .. }) => {
                shared.statuses().iter().for_each(|status| shared.announce(status, Weight::Kept));
            }
            // Whatever was missed, the pages are as they are now.
            Ok(_) | Err(RecvError::Lagged(_)) => shared.reconcile(),
            Err(RecvError::Closed) => return,
        }
    }
}

/// Sends heartbeats.
async fn beat(shared: std::sync::Weak<Shared>) {
    loop {
        tokio::time::sleep(limits::HEARTBEAT).await;
        let Some(shared) = shared.upgrade() else { return };
        shared.statuses().iter().for_each(|status| shared.announce(status, Weight::Passing));
    }
}
