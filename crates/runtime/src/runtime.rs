//! A runtime: sessions by name, on browsers that it launches and ends.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use actions_engine::browser::{Confinement, ContextOptions, Deadline};
use actions_engine::{CallError, Engine, ErrorCode, Session};
use tokio::sync::broadcast;
use tokio::task::AbortHandle;

use crate::browsers::{Browsers, Generation};
use crate::event::{EndReason, RuntimeEvent};
use crate::launcher::{Launcher, failed};
use crate::open::OpenSession;
use crate::options::RuntimeOptions;
use crate::session::{Parts, RuntimeSession, SessionInfo};

/// How many events a subscriber may fall behind before it misses some.
const EVENTS_KEPT: usize = 1_024;

/// The longest name of a session.
const LONGEST_NAME: usize = 64;

/// Keeps sessions open. Dropping it ends them without waiting; [`Runtime::close`] waits.
pub struct Runtime {
    shared: Arc<Shared>,
    janitor: AbortHandle,
}

struct Shared {
    browsers: Browsers,
    options: RuntimeOptions,
    sessions: Mutex<Sessions>,
    events: broadcast::Sender<RuntimeEvent>,
}

#[derive(Default)]
struct Sessions {
    open: BTreeMap<String, RuntimeSession>,
    /// The names of sessions that are being opened.
    opening: Vec<String>,
    is_closed: bool,
}

impl std::fmt::Debug for Runtime {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Runtime").field("sessions", &self.names()).finish_non_exhaustive()
    }
}

impl Runtime {
    /// A runtime without sessions. It launches a browser when the first session opens. Must be called within a tokio
    /// runtime.
    pub fn new(launcher: impl Launcher, options: RuntimeOptions) -> Self {
        let shared = Arc::new(Shared {
            browsers: Browsers::new(launcher, options.retirement),
            options,
            sessions: Mutex::default(),
            events: broadcast::Sender::new(EVENTS_KEPT),
        });
        let janitor = tokio::spawn(end_idle_sessions(Arc::downgrade(&shared), options.idle));
        Self { shared, janitor: janitor.abort_handle() }
    }

    /// Subscribes to what happens from now on.
    pub fn events(&self) -> broadcast::Receiver<RuntimeEvent> {
        self.shared.events.subscribe()
    }

    /// Opens a session and goes to its start page. Fails if the name is taken.
    pub async fn open(&self, open: OpenSession) -> Result<RuntimeSession, CallError> {
        let name = open.name.clone();
        let reserved = self.shared.reserve(&name)?;
        let generation = self.shared.browsers.for_session().await?;
        let opened = self.open_in(open, &generation).await;
        let session = match opened {
            Ok(session) => session,
            Err(error) => {
                Browsers::release(generation).await;
                return Err(error);
            }
        };
        drop(generation);
        if !reserved.complete(&session) {
            session.end().await;
            return Err(closed());
        }
        self.shared.emit(RuntimeEvent::SessionOpened { session: name });
        Ok(session)
    }

    async fn open_in(
        &self,
        open: OpenSession,
        generation: &Arc<Generation>,
    ) -> Result<RuntimeSession, CallError> {
        let OpenSession { name, maps, url, context: options, host, admission } = open;
        let Some(first) = maps.first() else {
            return Err(CallError::new(ErrorCode::WrongUsage, "a session needs at least one map"));
        };
        let browser = &generation.browser;
        let timeout = Duration::from_millis(first.engine.call_timeout().0);
        let deadline = Deadline::after(&*browser.clock(), timeout);
        let options =
            ContextOptions { confinement: confinement(maps.iter().map(|map| &map.engine)), ..options };
        let confinement = options.confinement.clone();
        let context = browser.new_context(options, deadline).await.map_err(failed)?;
        let opened =
            first.engine.open_confined(&**browser, Arc::clone(&context), url.as_deref(), confinement);
        let session = host.into_iter().fold(opened.await?.named(name.as_str()), Session::with_host);
        Ok(RuntimeSession::new(Parts {
            name,
            maps,
            session,
            context,
            generation: Arc::clone(generation),
            events: self.shared.events.clone(),
            admission,
        }))
    }

    /// An open session by its name.
    pub fn session(&self, name: &str) -> Result<RuntimeSession, CallError> {
        let sessions = self.shared.sessions();
        sessions.open.get(name).cloned().ok_or_else(|| {
            let names: Vec<String> = sessions.open.keys().cloned().collect();
            CallError::new(ErrorCode::RuntimeNotFound, format!("there is no session `{name}`"))
                .with_evidence("sessions", names)
        })
    }

    /// The names of the open sessions.
    pub fn names(&self) -> Vec<String> {
        self.shared.sessions().open.keys().cloned().collect()
    }

    /// The open sessions.
    pub fn sessions(&self) -> Vec<RuntimeSession> {
        self.shared.sessions().open.values().cloned().collect()
    }

    /// The open sessions as they are listed.
    pub async fn list(&self) -> Vec<SessionInfo> {
        futures_util::future::join_all(self.sessions().iter().map(RuntimeSession::info)).await
    }

    /// Ends a session: cancels its calls and closes its pages.
    pub async fn end(&self, name: &str) -> Result<(), CallError> {
        let session = self.session(name)?;
        self.shared.end(&session, EndReason::Ended).await;
        Ok(())
    }

    /// Ends every session and every browser, and returns when nothing is left of them.
    pub async fn close(self) {
        self.janitor.abort();
        let sessions: Vec<RuntimeSession> = {
            let mut sessions = self.shared.sessions();
            sessions.is_closed = true;
            sessions.open.values().cloned().collect()
        };
        let ends = sessions.iter().map(|session| self.shared.end(session, EndReason::RuntimeClosed));
        futures_util::future::join_all(ends).await;
        self.shared.browsers.close().await;
    }
}

impl Drop for Runtime {
    fn drop(&mut self) {
        self.janitor.abort();
        self.shared.sessions().is_closed = true;
    }
}

impl Shared {
    fn sessions(&self) -> MutexGuard<'_, Sessions> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn emit(&self, event: RuntimeEvent) {
        // There may be no subscriber.
        let _ = self.events.send(event);
    }

    /// Takes a name for a session that is about to open.
    fn reserve(self: &Arc<Self>, name: &str) -> Result<Reserved, CallError> {
        check_name(name)?;
        let mut sessions = self.sessions();
        if sessions.is_closed {
            return Err(closed());
        }
        if sessions.open.contains_key(name) || sessions.opening.iter().any(|taken| taken == name) {
            let message = format!("there is already a session `{name}`");
            return Err(CallError::new(ErrorCode::WrongUsage, message)
                .with_evidence("hint", "use it, end it first, or choose another name"));
        }
        let most = self.options.most_sessions;
        if sessions.open.len() + sessions.opening.len() >= most {
            let message = format!("{most} sessions are open, and the runtime allows no more");
            return Err(CallError::new(ErrorCode::PermissionDenied, message)
                .with_evidence("limit", most)
                .with_evidence("hint", "end a session that is no longer needed"));
        }
        sessions.opening.push(name.to_owned());
        Ok(Reserved { shared: Arc::clone(self), name: name.to_owned() })
    }

    /// Ends a session and reports it, if it has not ended yet.
    async fn end(&self, session: &RuntimeSession, reason: EndReason) {
        if self.sessions().open.remove(session.name()).is_none() {
            return;
        }
        session.end().await;
        self.emit(RuntimeEvent::SessionEnded { session: session.name().to_owned(), reason });
    }
}

/// The name of a session that is being opened. Dropping it frees the name.
struct Reserved {
    shared: Arc<Shared>,
    name: String,
}

impl Reserved {
    /// Lists the session that opened. Returns whether the runtime is still open.
    fn complete(self, session: &RuntimeSession) -> bool {
        let mut sessions = self.shared.sessions();
        if !sessions.is_closed {
            sessions.open.insert(self.name.clone(), session.clone());
        }
        !sessions.is_closed
    }
}

impl Drop for Reserved {
    fn drop(&mut self) {
        self.shared.sessions().opening.retain(|name| *name != self.name);
    }
}

fn closed() -> CallError {
    CallError::new(ErrorCode::RuntimeNotReady, "the runtime is closing")
}

/// Fails unless a text can be the name of a session. Names become parts of file names.
pub fn check_name(name: &str) -> Result<(), CallError> {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    if !name.is_empty() && name.len() <= LONGEST_NAME && name.chars().all(fits) && !name.starts_with('.') {
        return Ok(());
    }
    let message = format!("`{}` cannot be the name of a session", name.escape_debug());
    Err(CallError::new(ErrorCode::WrongUsage, message).with_evidence(
        "hint",
        "use ASCII letters, digits, `-`, `_` and `.`, at most 64 of them, and no dot at the beginning",
    ))
}

/// Where the pages of a session may go: to the origins of all its maps. A map without origins confines nothing, so a
/// session of only such maps is not confined.
fn confinement<'e>(engines: impl Iterator<Item = &'e Engine>) -> Option<Confinement> {
    engines.filter_map(Engine::confinement).reduce(|all, one| {
        let joined = Confinement::to(all.origins().chain(one.origins()));
        match all.confines_subresources() || one.confines_subresources() {
            true => joined.with_subresources(),
            false => joined,
        }
    })
}

/// Ends sessions that no client has used for too long, and then the browser if no session is left.
async fn end_idle_sessions(shared: Weak<Shared>, idle: Duration) {
    let pause = (idle / 4).clamp(Duration::from_millis(20), Duration::from_secs(30));
    loop {
        tokio::time::sleep(pause).await;
        let Some(shared) = shared.upgrade() else { return };
        let sessions: Vec<RuntimeSession> = shared.sessions().open.values().cloned().collect();
        for session in sessions.iter().filter(|session| session.idle() >= idle) {
            shared.end(session, EndReason::Idle).await;
        }
        let is_empty = {
            let sessions = shared.sessions();
            sessions.open.is_empty() && sessions.opening.is_empty()
        };
        if is_empty {
            shared.browsers.close_unused().await;
        }
    }
}
