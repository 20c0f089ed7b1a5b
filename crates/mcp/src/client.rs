//! A client of a server: its session and its subscriptions.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rmcp::RoleServer;
use rmcp::service::RequestContext;
use tokio::task::AbortHandle;

use crate::elicit::is_stateless;
use crate::shared::{MAIN, Shared};

/// How many resources a client may subscribe to.
pub(crate) const SUBSCRIPTIONS: usize = 32;

/// How a client is connected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// It is the only client, and the session is its own.
    Stdio,
    /// One of several.
    Http,
}

/// A client of a server. In the era without a handshake, every request by HTTP is a client of its own.
#[derive(Clone, Debug)]
pub struct Client {
    pub(crate) shared: Arc<Shared>,
    pub(crate) own: Arc<Own>,
}

/// What belongs to one client, and ends with it.
#[derive(Debug)]
pub(crate) struct Own {
    shared: Arc<Shared>,
    line: Line,
    /// The session of a client among several that has a connection.
    session: OnceLock<String>,
    /// Watches the resources that it has subscribed to.
    watches: Mutex<HashMap<String, AbortHandle>>,
    /// Tells the client when its list of tools changes.
    teller: Mutex<Option<AbortHandle>>,
}

impl Drop for Own {
    fn drop(&mut self) {
        self.shared.discount_client();
        let watches = self.watches.get_mut().unwrap_or_else(PoisonError::into_inner);
        watches.values().for_each(AbortHandle::abort);
        if let Some(teller) = self.teller.get_mut().unwrap_or_else(PoisonError::into_inner).take() {
            teller.abort();
        }
        let (Some(name), Ok(runtime)) = (self.session.take(), self.shared.runtime()) else { return };
        if let Ok(handle) = tokio::runtime::Handle::try_current() {
            handle.spawn(async move {
                // It may never have been opened.
                let _ = runtime.end(&name).await;
            });
        }
    }
}

impl Client {
    pub(crate) fn new(shared: &Arc<Shared>, line: Line) -> Self {
        shared.count_client();
        let own = Own {
            shared: Arc::clone(shared),
            line,
            session: OnceLock::new(),
            watches: Mutex::default(),
            teller: Mutex::default(),
        };
        Self { shared: Arc::clone(shared), own: Arc::new(own) }
    }

    /// The name of the session that the client works in when it names no page. A client that is connected by HTTP has one
    /// of its own; a client without a connection has that of the server.
    pub(crate) fn session_name(&self, context: &RequestContext<RoleServer>) -> String {
        match self.own.line == Line::Http && !is_stateless(context) {
            true => self.own.session_name(),
            false => MAIN.to_owned(),
        }
    }
}

impl Own {
    /// The session of a client with a connection.
    pub(crate) fn session_name(&self) -> String {
        match self.line {
            Line::Stdio => MAIN.to_owned(),
            Line::Http => self.session.get_or_init(|| self.shared.session_name('c')).clone(),
        }
    }

    /// Keeps a watch of a resource. Returns whether there was room for it.
    pub(crate) fn keep_watch(&self, uri: &str, watch: AbortHandle) -> bool {
        let mut watches = self.watches.lock().unwrap_or_else(PoisonError::into_inner);
        if watches.len() >= SUBSCRIPTIONS && !watches.contains_key(uri) {
            watch.abort();
            return false;
        }
        if let Some(before) = watches.insert(uri.to_owned(), watch) {
            before.abort();
        }
        true
    }

    /// Ends the watch of a resource.
    pub(crate) fn end_watch(&self, uri: &str) {
        let watch = self.watches.lock().unwrap_or_else(PoisonError::into_inner).remove(uri);
        if let Some(watch) = watch {
            watch.abort();
        }
    }

    /// Keeps the task that tells the client about its list of tools.
    pub(crate) fn keep_teller(&self, teller: AbortHandle) {
        let before = self.teller.lock().unwrap_or_else(PoisonError::into_inner).replace(teller);
        if let Some(before) = before {
            before.abort();
        }
    }
}
