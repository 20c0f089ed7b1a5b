//! A connection to the browser: it tracks pending calls and sessions, and routes incoming messages to them.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use chromiumoxide_types::MethodId;
use serde_json::value::RawValue;
use tokio::sync::{mpsc, oneshot, watch};

use super::message::Incoming;
use super::tally::Tally;
use super::target::{AttachedToTarget, DetachedFromTarget, Target};
use super::{Session, SessionEnd, Subject};
use crate::json::from_json;
use crate::{Clock, Error, FrameId};

/// A connection to a browser. Clones are the same connection.
#[derive(Clone)]
pub(crate) struct Connection {
    shared: Arc<Shared>,
}

struct Shared {
    clock: Arc<dyn Clock>,
    next_id: AtomicU64,
    tables: Mutex<Tables>,
    outgoing: mpsc::UnboundedSender<Vec<u8>>,
    lost: watch::Sender<Option<Arc<str>>>,
}

#[derive(Default)]
struct Tables {
    waiting: HashMap<u64, Waiting>,
    sessions: HashMap<String, Session>,
    browser: Option<Session>,
    lost: Option<Arc<str>>,
}

/// A call that waits for its response.
pub(super) struct Waiting {
    pub(super) answering: Answering,
    pub(super) session: Session,
    pub(super) depth: Option<u64>,
    pub(super) method: MethodId,
}

/// How a response is delivered.
pub(super) enum Answering {
    /// To the future that waits for it.
    Send(oneshot::Sender<Result<Box<RawValue>, Error>>),
    /// To a callback that runs on the reading task.
    Handle(Box<dyn FnOnce(Result<Box<RawValue>, Error>) + Send>),
}

/// A session that the browser attached to a new target.
pub(crate) struct Attached {
    pub(crate) session: Session,
    pub(crate) target: Target,
}

impl Connection {
    /// Creates a connection and the queue of its outgoing commands. The transport sends these and passes every message
    /// it reads to [`Connection::receive`].
    pub(super) fn new(clock: Arc<dyn Clock>) -> (Self, mpsc::UnboundedReceiver<Vec<u8>>) {
        let (outgoing, commands) = mpsc::unbounded_channel();
        let shared = Shared {
            clock,
            next_id: AtomicU64::new(1),
            tables: Mutex::default(),
            outgoing,
            lost: watch::Sender::new(None),
        };
        let connection = Self { shared: Arc::new(shared) };
        let browser = Session::new(connection.clone(), None, None, Subject::Browser, Arc::default());
        connection.tables().browser = Some(browser);
        (connection, commands)
    }

    pub(crate) fn clock(&self) -> &Arc<dyn Clock> {
        &self.shared.clock
    }

    /// The browser's own session; an error once the browser is lost.
    pub(crate) fn browser(&self) -> Result<Session, Error> {
        let tables = self.tables();
        match (&tables.browser, &tables.lost) {
            (_, Some(reason)) => Err(Error::BrowserLost { reason: reason.to_string() }),
            (Some(session), None) => Ok(session.clone()),
            (None, None) => Err(Error::BrowserLost { reason: "the connection is not open".to_owned() }),
        }
    }

    /// A channel that holds the reason once the browser is lost.
    pub(crate) fn lost(&self) -> watch::Receiver<Option<Arc<str>>> {
        self.shared.lost.subscribe()
    }

    pub(super) fn register(&self, waiting: Waiting) -> u64 {
        let id = self.shared.next_id.fetch_add(1, Ordering::Relaxed);
        let mut tables = self.tables();
        match tables.lost.clone() {
            Some(reason) => {
                drop(tables);
                waiting.settle(Err(Error::BrowserLost { reason: reason.to_string() }));
            }
            None => {
                tables.waiting.insert(id, waiting);
            }
        }
        id
    }

    pub(super) fn write(&self, id: u64, bytes: Vec<u8>) {
        if self.shared.outgoing.send(bytes).is_err() {
            self.answer(id, Err(Error::BrowserLost { reason: "the connection is closed".to_owned() }));
        }
    }

    pub(super) fn answer(&self, id: u64, answer: Result<Box<RawValue>, Error>) {
        let waiting = self.tables().waiting.remove(&id);
        if let Some(waiting) = waiting {
            waiting.settle(answer);
        }
    }

    pub(super) fn forget(&self, id: u64) {
        self.tables().waiting.remove(&id);
    }

    /// Routes one message from the browser.
    pub(super) fn receive(&self, message: &[u8]) {
        let text = String::from_utf8_lossy(message);
        let incoming: Incoming<'_> = match serde_json::from_str(&text) {
            Ok(incoming) => incoming,
            Err(error) => {
                tracing::debug!("dropped a message that does not follow the protocol: {error}");
                return;
            }
        };
        match (incoming.id, incoming.method) {
            (Some(id), _) => self.receive_answer(id, incoming.result, incoming.error),
            (None, Some(method)) => {
                if let Some(params) = incoming.params {
                    self.receive_event(incoming.session.as_deref(), &method, params);
                }
            }
            (None, None) => tracing::debug!("dropped a message with neither id nor method"),
        }
    }

    fn receive_answer(&self, id: u64, result: Option<&RawValue>, refusal: Option<super::message::Refusal>) {
        let Some(waiting) = self.tables().waiting.remove(&id) else { return };
        let answer = match (refusal, result) {
            (Some(refusal), _) => Err(Error::Refused {
                method: waiting.method.to_string(),
                code: refusal.code,
                message: refusal.message,
            }),
            (None, Some(result)) => Ok(result.to_owned()),
            (None, None) => Err(Error::AnswerUnreadable {
                method: waiting.method.to_string(),
                detail: "it has neither a result nor an error".to_owned(),
            }),
        };
        waiting.settle(answer);
    }

    fn receive_event(&self, session: Option<&str>, method: &str, params: &RawValue) {
        let session = {
            let tables = self.tables();
            match session {
                Some(id) => tables.sessions.get(id).cloned(),
                None => tables.browser.clone(),
            }
        };
        let Some(session) = session else { return };
        match method {
            "Target.attachedToTarget" => self.attach(&session, params),
            "Target.detachedFromTarget" => self.detach(params),
            "Inspector.targetCrashed" => self.crash(&session),
            _ => {}
        }
        session.deliver(method, params);
    }

    fn attach(&self, parent: &Session, params: &RawValue) {
        let AttachedToTarget { session_id: id, target_info: target } = match from_json(params.get()) {
            Ok(event) => event,
            Err(error) => {
                tracing::debug!("dropped Target.attachedToTarget: {error}");
                return;
            }
        };
        // A frame in another process shares the counters of its page; a page has its own.
        let (subject, tally) = match target.kind.as_str() {
            "iframe" => (Subject::Frame(FrameId::new(target.id.as_str())), parent.tally().clone()),
            "page" => (Subject::Page, Arc::new(Tally::default())),
            _ => (Subject::Worker, parent.tally().clone()),
        };
        let above = parent.id().map(str::to_owned);
        let session = Session::new(self.clone(), Some(id.clone()), above, subject, tally);
        self.tables().sessions.insert(id, session.clone());
        if let Some(handler) = parent.handler() {
            handler.on_attached(parent, Attached { session, target });
        }
    }

    fn detach(&self, params: &RawValue) {
        let event: DetachedFromTarget = match from_json(params.get()) {
            Ok(event) => event,
            Err(error) => {
                tracing::debug!("dropped Target.detachedFromTarget: {error}");
                return;
            }
        };
        // The browser sends no event for the sessions below it. End the deepest first.
        for session in self.take_subtree(&event.session_id).into_iter().rev() {
            session.end(SessionEnd::Detached);
            self.fail_calls(&session, &SessionEnd::Detached);
        }
    }

    /// Removes a session and all sessions below it from the table; returns parents first.
    fn take_subtree(&self, id: &str) -> Vec<Session> {
        let mut tables = self.tables();
        let mut subtree: Vec<Session> = tables.sessions.remove(id).into_iter().collect();
        let mut next = 0;
        while let Some(parent) = subtree.get(next).and_then(|session| session.id().map(str::to_owned)) {
            let below = tables.sessions.extract_if(|_, session| session.parent() == Some(&parent));
            subtree.extend(below.map(|(_, session)| session));
            next += 1;
        }
        subtree
    }

    /// Fails the calls of a session whose process crashed. The session stays: a navigation can start a new process.
    fn crash(&self, session: &Session) {
        // The handler learns of the crash first, so that a caller whose call fails and who retries is refused.
        if let Some(handler) = session.handler() {
            handler.on_end(session, &SessionEnd::Crashed);
        }
        self.fail_calls(session, &SessionEnd::Crashed);
    }

    fn fail_calls(&self, session: &Session, end: &SessionEnd) {
        let calls: Vec<Waiting> = self
            .tables()
            .waiting
            .extract_if(|_, call| call.session.is_same(session))
            .map(|(_, call)| call)
            .collect();
        for call in calls {
            call.settle(Err(end.error(session.subject())));
        }
    }

    /// Declares the browser lost: fails every pending call now, and every later call immediately.
    pub(crate) fn lose(&self, reason: &str) {
        let reason: Arc<str> = reason.into();
        let (calls, sessions) = {
            let mut tables = self.tables();
            if tables.lost.is_some() {
                return;
            }
            tables.lost = Some(reason.clone());
            let calls = std::mem::take(&mut tables.waiting);
            let mut sessions: Vec<Session> = std::mem::take(&mut tables.sessions).into_values().collect();
            sessions.extend(tables.browser.take());
            (calls, sessions)
        };
        for call in calls.into_values() {
            call.settle(Err(Error::BrowserLost { reason: reason.to_string() }));
        }
        let end = SessionEnd::Lost(reason.clone());
        for session in sessions {
            session.end(end.clone());
        }
        // Last, so that every page knows of the loss before those who wait for it.
        self.shared.lost.send_replace(Some(reason));
    }

    fn tables(&self) -> MutexGuard<'_, Tables> {
        self.shared.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Waiting {
    fn settle(self, answer: Result<Box<RawValue>, Error>) {
        if let Some(depth) = self.depth {
            self.session.tally().answered(depth);
        }
        match self.answering {
            // The caller may have stopped waiting.
            Answering::Send(sender) => drop(sender.send(answer)),
            Answering::Handle(handle) => handle(answer),
        }
    }
}

#[cfg(test)]
mod tests;
