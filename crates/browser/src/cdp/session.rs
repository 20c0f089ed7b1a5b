//! One flattened session: a conversation with the browser, a page or a frame.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use chromiumoxide_types::{Command, MethodId, MethodType};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::value::RawValue;
use tokio::sync::{mpsc, oneshot};

use super::connection::{Answering, Attached, Connection, Waiting};
use super::message::{Event, Outgoing};
use super::tally::Tally;
use super::{Pending, SessionEnd, Subject, Subscription};
use crate::json::from_json;
use crate::{Counters, Deadline, Error};

/// Receives the events of sessions in the order of the wire, on the reading task: it must be quick and never wait.
pub(crate) trait EventHandler: Send + Sync {
    /// An event of a session arrived.
    fn on_event(&self, session: &Session, event: Event<'_>);

    /// A new session was attached below a session; its handler can be set before its first event is read.
    fn on_attached(&self, parent: &Session, attached: Attached);

    /// A session's calls have failed for this reason.
    fn on_end(&self, session: &Session, end: &SessionEnd);
}

/// One flattened session of the DevTools protocol. Clones talk to the same session.
#[derive(Clone)]
pub struct Session {
    shared: Arc<Shared>,
}

pub(super) struct Shared {
    connection: Connection,
    id: Option<String>,
    subject: Subject,
    tally: Arc<Tally>,
    parent: Option<String>,
    handler: Mutex<Option<Arc<dyn EventHandler>>>,
    subscribers: Mutex<HashMap<MethodId, Vec<mpsc::UnboundedSender<Box<str>>>>>,
    ended: OnceLock<SessionEnd>,
}

impl Session {
    pub(super) fn new(
        connection: Connection,
        id: Option<String>,
        parent: Option<String>,
        subject: Subject,
        tally: Arc<Tally>,
    ) -> Self {
        Self {
            shared: Arc::new(Shared {
                connection,
                id,
                parent,
                subject,
                tally,
                handler: Mutex::default(),
                subscribers: Mutex::default(),
                ended: OnceLock::new(),
            }),
        }
    }

    /// The session's id; the browser's own session has none.
    pub fn id(&self) -> Option<&str> {
        self.shared.id.as_deref()
    }

    pub(crate) fn subject(&self) -> &Subject {
        &self.shared.subject
    }

    pub(crate) fn connection(&self) -> &Connection {
        &self.shared.connection
    }

    pub(crate) fn is_same(&self, other: &Session) -> bool {
        Arc::ptr_eq(&self.shared, &other.shared)
    }

    pub(super) fn tally(&self) -> &Arc<Tally> {
        &self.shared.tally
    }

    /// What talking to the page of this session cost so far, all its sessions together.
    pub fn counters(&self) -> Counters {
        self.shared.tally.counters()
    }

    /// Sends a command and gives back its pending answer at once.
    ///
    /// The command is on its way when this returns: commands sent one after the other reach the browser in this order.
    pub fn send<C: Command>(&self, command: C, deadline: Deadline) -> Pending<C::Response> {
        let method = command.identifier();
        self.dispatch(method, &command, deadline, true)
    }

    /// Sends a command by its name, for what the generated types do not know.
    pub fn send_raw(&self, method: &'static str, params: &Value, deadline: Deadline) -> Pending<Value> {
        self.dispatch(MethodId::Borrowed(method), params, deadline, true)
    }

    /// Sends a command on the driver's own behalf: it does not count as work a caller asked for.
    pub(crate) fn send_uncounted<C: Command>(&self, command: C, deadline: Deadline) -> Pending<C::Response> {
        let method = command.identifier();
        self.dispatch(method, &command, deadline, false)
    }

    /// Sends a command on the driver's own behalf and has the answer handled on the reading task, in the order of the
    /// wire: everything that arrived before the answer has been seen when `then` runs, and nothing that came after.
    pub(crate) fn send_then<C: Command>(
        &self,
        command: C,
        then: impl FnOnce(Result<C::Response, Error>) + Send + 'static,
    ) {
        let method = command.identifier();
        let name = method.clone();
        let handle = Box::new(move |answer: Result<Box<RawValue>, Error>| {
            then(answer.and_then(|answer| {
                from_json(answer.get()).map_err(|error| Error::AnswerUnreadable {
                    method: name.to_string(),
                    detail: error.to_string(),
                })
            }));
        });
        self.transmit(method, &command, Answering::Handle(handle), None);
    }

    fn dispatch<P: Serialize, T>(
        &self,
        method: MethodId,
        params: &P,
        deadline: Deadline,
        counted: bool,
    ) -> Pending<T> {
        let depth = counted.then(|| self.shared.tally.sent());
        let (answer, receiver) = oneshot::channel();
        let id = self.transmit(method.clone(), params, Answering::Send(answer), depth);
        Pending::new(&self.shared.connection, id, method, deadline, receiver)
    }

    fn transmit<P: Serialize>(
        &self,
        method: MethodId,
        params: &P,
        answering: Answering,
        depth: Option<u64>,
    ) -> u64 {
        let connection = &self.shared.connection;
        let id =
            connection.register(Waiting { answering, session: self.clone(), depth, method: method.clone() });
        if let Some(end) = self.shared.ended.get() {
            connection.answer(id, Err(end.error(&self.shared.subject)));
            return id;
        }
        match serde_json::to_vec(&Outgoing { id, session: self.id(), method: &method, params }) {
            Ok(bytes) => connection.write(id, bytes),
            Err(error) => connection.answer(
                id,
                Err(Error::Refused { method: method.into_owned(), code: 0, message: error.to_string() }),
            ),
        }
        id
    }

    /// Subscribes to an event; only subscribed events are parsed.
    pub fn subscribe<E: MethodType + DeserializeOwned>(&self) -> Subscription<E> {
        let method = E::method_id();
        let (sender, receiver) = mpsc::unbounded_channel();
        let name = method.to_string();
        self.subscribers().entry(method).or_default().push(sender);
        if self.shared.ended.get().is_some() {
            self.subscribers().clear();
        }
        Subscription::new(name, receiver)
    }

    pub(crate) fn set_handler(&self, handler: Arc<dyn EventHandler>) {
        *self.shared.handler.lock().unwrap_or_else(PoisonError::into_inner) = Some(handler);
    }

    pub(super) fn handler(&self) -> Option<Arc<dyn EventHandler>> {
        self.shared.handler.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The id of the session this one was attached below.
    pub(super) fn parent(&self) -> Option<&str> {
        self.shared.parent.as_deref()
    }

    pub(super) fn deliver(&self, method: &str, params: &RawValue) {
        self.shared.tally.event();
        if let Some(senders) = self.subscribers().get_mut(method) {
            senders.retain(|sender| sender.send(params.get().into()).is_ok());
        }
        if let Some(handler) = self.handler() {
            handler.on_event(self, Event { method, params: params.get() });
        }
    }

    /// Marks the session as over and tells its handler, which is let go. A crash does not end a session: the page can
    /// come back.
    pub(super) fn end(&self, end: SessionEnd) {
        if self.shared.ended.set(end.clone()).is_err() {
            return;
        }
        self.subscribers().clear();
        let handler = self.shared.handler.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(handler) = handler {
            handler.on_end(self, &end);
        }
    }

    fn subscribers(
        &self,
    ) -> std::sync::MutexGuard<'_, HashMap<MethodId, Vec<mpsc::UnboundedSender<Box<str>>>>> {
        self.shared.subscribers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session").field("id", &self.shared.id).field("subject", &self.shared.subject).finish()
    }
}
