//! What all clients of a server share: the runtime, the maps and the sessions.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use actions_engine::{CallError, CallId, ErrorCode};
use actions_runtime::{MapVersion, OpenSession, Route, Runtime, RuntimeSession};
use tokio::sync::{Semaphore, watch};

use crate::catalogue::{Catalogue, address};
use crate::confirmations::Confirmations;
use crate::large::Large;
use crate::options::ServerOptions;
use crate::versions::Versions;

/// How many requests may run at once.
const REQUESTS: usize = 64;

/// The session of a client that names no other one.
pub(crate) const MAIN: &str = "main";

/// How a session is opened: its name goes in; the server adds its maps.
pub type MakeSession = Arc<dyn Fn(&str) -> OpenSession + Send + Sync>;

/// What all clients of a server share.
pub(crate) struct Shared {
    runtime: Mutex<Option<Arc<Runtime>>>,
    pub(crate) options: ServerOptions,
    pub(crate) confirmations: Confirmations,
    pub(crate) large: Large,
    pub(crate) versions: Versions,
    /// Limits how many requests run at once.
    pub(crate) room: Semaphore,
    catalogue: RwLock<Arc<Catalogue>>,
    /// Counts the changes of the maps.
    maps_changed: watch::Sender<u64>,
    make_session: MakeSession,
    /// Held while a session opens, so that none opens twice.
    opening: tokio::sync::Mutex<()>,
    numbers: AtomicU64,
    clients: AtomicUsize,
}

/// Where a request works: a session, and a page of it.
pub(crate) struct Place {
    pub(crate) session: RuntimeSession,
    pub(crate) route: Route,
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shared").field("options", &self.options).finish_non_exhaustive()
    }
}

impl Shared {
    pub(crate) fn new(
        runtime: Runtime,
        versions: &[MapVersion],
        make_session: MakeSession,
        confirmations: Confirmations,
        options: ServerOptions,
    ) -> Arc<Self> {
        Arc::new(Self {
            runtime: Mutex::new(Some(Arc::new(runtime))),
            options,
            confirmations,
            large: Large::default(),
            versions: Versions::default(),
            room: Semaphore::new(REQUESTS),
            catalogue: RwLock::new(Arc::new(Catalogue::of(versions))),
            maps_changed: watch::Sender::new(0),
            make_session,
            opening: tokio::sync::Mutex::new(()),
            numbers: AtomicU64::new(1),
            clients: AtomicUsize::new(0),
        })
    }

    /// The tools and maps as they are now.
    pub(crate) fn catalogue(&self) -> Arc<Catalogue> {
        Arc::clone(&self.catalogue.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Uses other versions of the maps from now on.
    pub(crate) fn set_maps(&self, versions: &[MapVersion]) {
        *self.catalogue.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(Catalogue::of(versions));
        if let Ok(runtime) = self.runtime() {
            runtime.sessions().iter().for_each(|session| session.set_maps(versions));
        }
        self.maps_changed.send_modify(|number| *number += 1);
    }

    /// Reports changes of the maps.
    pub(crate) fn map_changes(&self) -> watch::Receiver<u64> {
        self.maps_changed.subscribe()
    }

    /// The runtime, until the server ends.
    pub(crate) fn runtime(&self) -> Result<Arc<Runtime>, CallError> {
        let runtime = self.runtime.lock().unwrap_or_else(PoisonError::into_inner).clone();
        runtime.ok_or_else(|| CallError::new(ErrorCode::RuntimeNotReady, "the server is ending"))
    }

    /// Takes the runtime away, to end it.
    pub(crate) fn take_runtime(&self) -> Option<Arc<Runtime>> {
        self.runtime.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// How many clients there are.
    pub(crate) fn clients(&self) -> usize {
        self.clients.load(Ordering::Relaxed)
    }

    pub(crate) fn count_client(&self) {
        self.clients.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn discount_client(&self) {
        self.clients.fetch_sub(1, Ordering::Relaxed);
    }

    fn number(&self) -> u64 {
        self.numbers.fetch_add(1, Ordering::Relaxed)
    }

    /// A new name with this letter before a number.
    pub(crate) fn session_name(&self, letter: char) -> String {
        format!("{letter}{}", self.number())
    }

    /// An id for a call.
    pub(crate) fn call_id(&self) -> Result<CallId, CallError> {
        let id = CallId::parse(&format!("mcp-{}", self.number()));
        id.map_err(|error| CallError::new(ErrorCode::InternalError, error.to_string()))
    }

    /// The session of this name if it is open and its browser is alive.
    pub(crate) fn open_session(&self, name: &str) -> Option<RuntimeSession> {
        self.runtime().ok()?.session(name).ok().filter(|session| session.lost().is_none())
    }

    /// The session of this name; it opens if it is not open, or if its browser is lost.
    pub(crate) async fn session(&self, name: &str) -> Result<RuntimeSession, CallError> {
        if let Some(open) = self.open_session(name) {
            return Ok(open);
        }
        let _opening = self.opening.lock().await;
        if let Some(open) = self.open_session(name) {
            return Ok(open);
        }
        let runtime = self.runtime()?;
        // Its browser is lost: it is replaced by a new one, with new pages.
        let _ = runtime.end(name).await;
        runtime.open(self.opened_as(name, None)).await
    }

    /// Opens a session of its own, at an address.
    pub(crate) async fn new_session(
        &self,
        name: &str,
        url: Option<String>,
    ) -> Result<RuntimeSession, CallError> {
        let _opening = self.opening.lock().await;
        self.runtime()?.open(self.opened_as(name, url)).await
    }

    fn opened_as(&self, name: &str, url: Option<String>) -> OpenSession {
        let mut open = (self.make_session)(name);
        let catalogue = self.catalogue();
        open.maps = catalogue.maps().iter().map(|map| map.version.clone()).collect();
        open.url = url.or(open.url);
        open
    }

    /// Where a request works: on the page whose handle it gives, else on the current page of its own session.
    pub(crate) async fn place(&self, own: &str, handle: Option<&str>) -> Result<Place, CallError> {
        let Some(handle) = handle else {
            return Ok(Place { session: self.session(own).await?, route: Route::Current });
        };
        let sessions = self.runtime()?.sessions();
        for session in &sessions {
            if let Some(page) = session.pages().iter().find(|page| page.runtime_id == handle) {
                return Ok(Place { session: session.clone(), route: Route::Page(page.id) });
            }
        }
        let open = sessions.iter().flat_map(RuntimeSession::pages).map(|page| page.runtime_id);
        Err(CallError::new(ErrorCode::RuntimeNotFound, format!("there is no page `{handle}`"))
            .with_evidence("pages", open.collect::<Vec<_>>())
            .with_evidence("hint", "list the pages with `actions_page`, or leave `_page` out"))
    }

    /// The address of the current page of a session, or where it starts if it is not open.
    pub(crate) fn current_url(&self, session: &str) -> Option<String> {
        let open = self.open_session(session);
        let page = open.and_then(|open| open.pages().into_iter().find(|page| page.is_current));
        let start = || {
            let catalogue = self.catalogue();
            let first = catalogue.maps().first()?;
            let wish = (self.make_session)(session).url;
            wish.or_else(|| first.version.engine.start_url()).or_else(|| address(&first.version.engine))
        };
        page.map(|page| page.page.url()).or_else(start)
    }
}
