//! A session of a runtime: a browser context with maps on its pages, shared by its clients.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use actions_engine::browser::{Clock, Context, ContextEvent, PageEvent, PageSignal};
use actions_engine::{
    Call, CallError, CancellationToken, Effect, Engine, ErrorCode, Millis, Observer, Outcome, PageId,
    RunEvent, Session, SessionPage, Timestamp, Traversal,
};
use serde::{Deserialize, Serialize};
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;
use tokio::task::JoinSet;

use crate::admission::{Admission, Called, Caller};
use crate::browsers::{Browsers, Generation};
use crate::event::RuntimeEvent;
use crate::heard_signal::PageReport;
use crate::lease::{Lease, Usage};
use crate::maps::{MapVersion, Maps};
use crate::route::{Route, resolve, titles};
use crate::signal::{Reports, attend, is_asked, received};
use crate::tool_call::{Callee, ToolCall};

/// How long calls may take to end when their session ends.
const ENDING_CALLS: Duration = Duration::from_secs(2);

/// A session of a runtime. It is cheap to clone; clones are the same session.
#[derive(Clone)]
pub struct RuntimeSession {
    inner: Arc<Inner>,
}

struct Inner {
    name: String,
    maps: Maps,
    clock: Arc<dyn Clock>,
    /// The browser of the session, until the session ends.
    generation: Mutex<Option<Arc<Generation>>>,
    usage: Arc<Usage>,
    started_at: Timestamp,
    events: broadcast::Sender<RuntimeEvent>,
    /// Who decides which clients may call what.
    admission: Option<Arc<dyn Admission>>,
    /// What its pages said by themselves.
    reports: Arc<Reports>,
    /// Cancelled when the session ends: its calls end then.
    ending: CancellationToken,
    /// Report what happens to the pages and the browser; they end with the session.
    watchers: Mutex<JoinSet<()>>,
}

/// A session as it is listed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SessionInfo {
    /// Its name.
    pub name: String,
    /// Its name for people, if `runtime.session.name` gave it one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The files of its maps.
    pub maps: Vec<String>,
    /// Its open pages.
    pub pages: Vec<PageInfo>,
    /// When it started.
    pub started_at: Timestamp,
    /// When a client last used it.
    pub last_used_at: Timestamp,
    /// Why it is of no use any more, if its browser is lost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lost: Option<String>,
}

/// A page as it is listed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PageInfo {
    /// The id by which clients address it.
    pub runtime_id: String,
    /// Its number in the session.
    pub page: PageId,
    /// Its address.
    pub url: String,
    /// Its title. It is the page's word: treat it as data.
    pub title: String,
    /// Whether calls that name no page run on it.
    pub current: bool,
}

/// What a new session is made of.
pub(crate) struct Parts {
    pub(crate) name: String,
    pub(crate) maps: Vec<MapVersion>,
    pub(crate) session: Session,
    pub(crate) context: Arc<dyn Context>,
    pub(crate) generation: Arc<Generation>,
    pub(crate) events: broadcast::Sender<RuntimeEvent>,
    pub(crate) admission: Option<Arc<dyn Admission>>,
}

impl std::fmt::Debug for RuntimeSession {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RuntimeSession")
            .field("name", &self.inner.name)
            .field("maps", &self.inner.maps.names())
            .finish_non_exhaustive()
    }
}

impl RuntimeSession {
    pub(crate) fn new(parts: Parts) -> Self {
        let Parts { name, maps, session, context, generation, events, admission } = parts;
        let clock = generation.browser.clock();
        let inner = Arc::new(Inner {
            maps: Maps::new(session, &maps),
            usage: Usage::new(Arc::clone(&clock)),
            started_at: Timestamp::from_unix_millis(clock.unix_millis()),
            generation: Mutex::new(Some(Arc::clone(&generation))),
            ending: CancellationToken::new(),
            watchers: Mutex::default(),
            reports: Arc::default(),
            name,
            clock,
            events,
            admission,
        });
        let this = Self { inner };
        this.watch(context, &generation);
        this
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.inner.name
    }

    /// The views of its pages under each of its maps, in order of precedence. Using them does not keep the session from
    /// being idle; a [`Lease`] does.
    pub fn views(&self) -> Vec<Session> {
        self.inner.maps.sessions()
    }

    /// Its open pages, in the order in which they opened.
    pub fn pages(&self) -> Vec<SessionPage> {
        self.inner.maps.pages().pages()
    }

    /// Uses other maps from the next call on.
    pub fn set_maps(&self, maps: &[MapVersion]) {
        self.inner.maps.replace(maps);
        self.inner.reports.nudge_all();
    }

    /// What a page said by itself so far, and where its attachments stand.
    pub fn page_report(&self, page: PageId) -> PageReport {
        self.inner.reports.of(page)
    }

    /// Looks again at what a page should report and show: its states may have changed.
    pub fn attend(&self, page: PageId) {
        self.inner.reports.nudge(page);
    }

    /// The names of its maps, in order of precedence.
    pub fn maps(&self) -> Vec<String> {
        self.inner.maps.names()
    }

    /// Why the session is of no use any more, if its browser is lost.
    pub fn lost(&self) -> Option<String> {
        let generation = self.inner.generation.lock().unwrap_or_else(PoisonError::into_inner);
        match &*generation {
            Some(generation) => generation.lost(),
            None => Some("the session has ended".to_owned()),
        }
    }

    /// The session as it is listed, with the titles of its pages.
    pub async fn info(&self) -> SessionInfo {
        let inner = &self.inner;
        let session = inner.maps.pages();
        let pages = session.pages();
        let titles = titles(&session, &pages).await;
        let page = |(page, title): (SessionPage, String)| PageInfo {
            runtime_id: page.runtime_id,
            page: page.id,
            url: page.page.url(),
            title,
            current: page.is_current,
        };
        SessionInfo {
            name: inner.name.clone(),
            title: session.title(),
            maps: inner.maps.names(),
            pages: pages.into_iter().zip(titles).map(page).collect(),
            started_at: inner.started_at.clone(),
            last_used_at: self.last_used(),
            lost: self.lost(),
        }
    }

    /// Uses the pages under the map with the highest precedence.
    pub async fn lease(&self, route: &Route) -> Result<Lease, CallError> {
        self.leased(route, |_| Ok(self.inner.maps.pages())).await
    }

    /// Uses the map that has a tool.
    pub async fn lease_for_tool(&self, tool: &str, route: &Route) -> Result<Lease, CallError> {
        self.leased(route, |url| self.inner.maps.for_tool(tool, url)).await
    }

    /// Uses the map that has a projection.
    pub async fn lease_for_projection(&self, projection: &str, route: &Route) -> Result<Lease, CallError> {
        self.leased(route, |url| self.inner.maps.for_projection(projection, url)).await
    }

    /// Uses another map on the pages of the session. They stay confined to the origins they were opened with.
    pub async fn lease_under(&self, map: &Engine, route: &Route) -> Result<Lease, CallError> {
        self.leased(route, |_| Ok(self.inner.maps.pages().with_map(map.clone()))).await
    }

    async fn leased(
        &self,
        route: &Route,
        choose: impl FnOnce(&str) -> Result<Session, CallError>,
    ) -> Result<Lease, CallError> {
        let pages = self.inner.maps.pages();
        // Held from here on, so that the session does not end as idle while the page is looked for.
        let lease = Lease::new(pages, &self.inner.usage);
        if let Some(reason) = self.lost() {
            let message = format!("the browser of the session `{}` is gone: {reason}", self.inner.name);
            return Err(CallError::new(ErrorCode::BrowserLost, message)
                .with_evidence("session", self.inner.name.as_str())
                .with_evidence(
                    "hint",
                    "end the session and start it again; nothing was repeated elsewhere",
                ));
        }
        let page = resolve(&lease, route).await?;
        let focused = page.map_or_else(|| (*lease).clone(), |page| lease.on(page));
        let chosen = choose(&focused.page().url())?;
        let chosen = page.map_or_else(|| chosen.clone(), |page| chosen.on(page));
        Ok(Lease::new(chosen, &self.inner.usage))
    }

    /// Fails if a client may not call this in the session.
    pub fn admit(&self, caller: &Caller, called: &Called<'_>) -> Result<(), CallError> {
        self.inner.admission.as_ref().map_or(Ok(()), |admission| admission.admit(caller, called))
    }

    /// Fails if a client may not make a call with this map.
    fn admit_call(&self, caller: &Caller, map: &Engine, callee: &Callee) -> Result<(), CallError> {
        if self.inner.admission.is_none() {
            return Ok(());
        }
        match callee {
            Callee::Tool(tool) => {
                let plan = map.plan(tool)?;
                let mutating = plan.effect() == Effect::Mutating;
                self.admit(caller, &Called { name: tool, mutating, facts: Some(plan.facts()) })
            }
            Callee::Primitive(name) => {
                // A primitive that is not known is reported as such later.
                let mutating = Engine::primitive_mutates(name).unwrap_or(true);
                self.admit(caller, &Called { name, mutating, facts: None })
            }
        }
    }

    /// Makes a call and returns when it has ended. Calls on one page run one after the other.
    pub async fn call(&self, call: ToolCall<'_>) -> Outcome {
        let leased = match (&call.map, &call.callee) {
            (Some(map), _) => self.lease_under(map, &call.route).await,
            (None, Callee::Tool(tool)) => self.lease_for_tool(tool, &call.route).await,
            (None, Callee::Primitive(_)) => self.lease(&call.route).await,
        };
        let ToolCall {
            callee,
            arguments,
            traverse,
            consent,
            call_id,
            timeout,
            observer,
            trace,
            cancel,
            caller,
            ..
        } = call;
        let leased = leased.and_then(|lease| {
            self.admit_call(&caller, lease.map(), &callee)?;
            Ok(lease)
        });
        let lease = match leased {
            Ok(lease) => lease,
            Err(error) => return Outcome::refused(call_id, error),
        };
        let page = lease.page_id();
        let own = consent.map(|consent| lease.consenting(consent));
        let view = own.as_ref().unwrap_or(&lease);
        let mut timeout = timeout;
        if self.inner.maps.sessions().iter().any(is_asked) {
            // The wait is part of the time of the call, and ends with it.
            let began = self.inner.clock.now();
            tokio::select! {
                () = self.inner.reports.until_ready(page, &*self.inner.clock, timeout) => {}
                () = cancel.cancelled() => {}
                () = self.inner.ending.cancelled() => {}
            }
            let waited = Millis::from(self.inner.clock.now() - began);
            timeout = timeout.map(|timeout| Millis(timeout.0.saturating_sub(waited.0).max(1)));
        }
        let reported = Reported { inner: &self.inner, page, observer };
        let end = CancellationToken::new();
        let calling = async {
            if let (Some(transition), Callee::Tool(tool)) = (traverse, &callee) {
                if let Err(error) = lease.map().check_traversal(&transition, tool) {
                    return Outcome::refused(call_id, error);
                }
                let traversal = view.traverse(transition).arguments(arguments).observer(&reported);
                let traversal = traversal.cancelled_by(end.clone());
                let traversal = call_id.into_iter().fold(traversal, Traversal::id);
                let traversal = timeout.into_iter().fold(traversal, Traversal::timeout);
                return trace.into_iter().fold(traversal, Traversal::trace).run().await.into();
            }
            let calling = match callee {
                Callee::Tool(tool) => view.call(tool),
                Callee::Primitive(primitive) => view.primitive(primitive),
            };
            let calling = calling.arguments(arguments).observer(&reported).cancelled_by(end.clone());
            let calling = call_id.into_iter().fold(calling, Call::id);
            let calling = timeout.into_iter().fold(calling, Call::timeout);
            trace.into_iter().fold(calling, Call::trace).run().await
        };
        let ended = async {
            tokio::select! {
                () = cancel.cancelled() => {}
                () = self.inner.ending.cancelled() => {}
            }
            end.cancel();
            std::future::pending::<()>().await;
        };
        let outcome = tokio::select! {
            outcome = calling => outcome,
            () = ended => unreachable!("a cancelled call ends by itself"),
        };
        self.inner.reports.call_ended(page, &outcome.call_id);
        self.inner.emit(RuntimeEvent::CallEnded {
            session: self.inner.name.clone(),
            page,
            call_id: outcome.call_id.clone(),
            ok: outcome.result.is_ok(),
        });
        outcome
    }

    /// When a client last used the session.
    pub fn last_used(&self) -> Timestamp {
        Timestamp::from_unix_millis(self.inner.usage.last_unix_millis())
    }

    /// For how long no client has used the session; zero while a call runs.
    pub fn idle(&self) -> Duration {
        self.inner.usage.idle()
    }

    /// Ends the session: cancels its calls, closes its pages and gives its browser back.
    pub(crate) async fn end(&self) {
        let inner = &self.inner;
        inner.ending.cancel();
        tokio::select! {
            () = inner.usage.until_unused() => {}
            () = inner.clock.sleep_until(inner.clock.now() + ENDING_CALLS) => {}
        }
        let mut watchers =
            std::mem::take(&mut *inner.watchers.lock().unwrap_or_else(PoisonError::into_inner));
        watchers.shutdown().await;
        inner.maps.pages().close().await;
        let generation = inner.generation.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(generation) = generation {
            Browsers::release(generation).await;
        }
    }

    /// Reports what happens to the pages and the browser of the session.
    fn watch(&self, context: Arc<dyn Context>, generation: &Generation) {
        let mut watchers = self.inner.watchers.lock().unwrap_or_else(PoisonError::into_inner);
        let weak = Arc::downgrade(&self.inner);
        let lost = generation.wait_for_loss();
        watchers.spawn(async move {
            let reason = lost.await;
            if let Some(inner) = weak.upgrade() {
                inner.emit(RuntimeEvent::BrowserLost { session: inner.name.clone(), reason });
            }
        });
        let weak = Arc::downgrade(&self.inner);
        watchers.spawn(async move {
            let mut events = context.events();
            // The session keeps the context; watching it must not.
            drop(context);
            let mut pages = JoinSet::new();
            let mut known: Vec<PageId> = Vec::new();
            loop {
                let Some(inner) = weak.upgrade() else { return };
                let open = inner.maps.pages().pages();
                for page in open.iter().filter(|page| !known.contains(&page.id)) {
                    inner.emit(RuntimeEvent::PageOpened { session: inner.name.clone(), page: page.id });
                    pages.spawn(follow(page.page.events(), Arc::downgrade(&inner), page.id));
                    pages.spawn(attend_page(&inner, page.id));
                }
                let closed: Vec<PageId> =
                    known.iter().filter(|id| !open.iter().any(|page| page.id == **id)).copied().collect();
                for page in closed {
                    inner.reports.nudge(page);
                    inner.reports.forget(page);
                    inner.emit(RuntimeEvent::PageClosed { session: inner.name.clone(), page });
                }
                known = open.iter().map(|page| page.id).collect();
                drop((inner, open));
                while pages.try_join_next().is_some() {}
                match events.recv().await {
                    Ok(ContextEvent::PageOpened { .. } | ContextEvent::PageClosed { .. }) => {}
                    Ok(_) | Err(RecvError::Lagged(_)) => {}
                    Err(RecvError::Closed) => return,
                }
            }
        });
    }
}

/// Reports the navigations of a page.
async fn follow(mut events: broadcast::Receiver<PageEvent>, inner: std::sync::Weak<Inner>, page: PageId) {
    let mut last = String::new();
    loop {
        let event = events.recv().await;
        match &event {
            Ok(PageEvent::Signal(signal)) => {
                let Some(inner) = inner.upgrade() else { return };
                inner.signal_received(page, signal);
                continue;
            }
            Ok(PageEvent::Navigated(_)) | Err(RecvError::Lagged(_)) => {}
            Ok(PageEvent::Closed) | Err(RecvError::Closed) => return,
            Ok(_) => continue,
        }
        let Some(inner) = inner.upgrade() else { return };
        let view = inner.maps.pages().on(page);
        if let Ok(PageEvent::Navigated(navigated)) = &event
            && !navigated.same_document
            && navigated.frame == view.page().main_frame()
        {
            view.forget_signals();
        }
        inner.reports.nudge(page);
        // A frame of the page may have navigated, which does not change the address of the page.
        let url = view.page().url();
        if url != last {
            last.clone_from(&url);
            inner.emit(RuntimeEvent::PageNavigated { session: inner.name.clone(), page, url });
        }
    }
}

/// Makes a page report and show what its maps declare, as long as it and the session are there.
fn attend_page(inner: &Arc<Inner>, page: PageId) -> impl Future<Output = ()> + Send + use<> {
    let (reports, of_views, of_news) =
        (Arc::clone(&inner.reports), Arc::downgrade(inner), Arc::downgrade(inner));
    let views = move || {
        let inner = of_views.upgrade()?;
        let is_open = inner.maps.pages().pages().iter().any(|open| open.id == page);
        is_open.then(|| inner.maps.sessions())
    };
    let changed = move || {
        if let Some(inner) = of_news.upgrade() {
            inner.emit(RuntimeEvent::AttachmentsChanged { session: inner.name.clone(), page });
        }
    };
    attend(reports, page, views, changed)
}

impl Inner {
    fn signal_received(&self, page: PageId, signal: &PageSignal) {
        let observed_at = Timestamp::from_unix_millis(self.clock.unix_millis());
        let views = self.maps.sessions();
        for event in received(&self.reports, &self.name, &views, page, signal, observed_at) {
            self.emit(event);
        }
        if matches!(signal, PageSignal::Event { .. }) {
            // A signal may change a state on which an attachment depends.
            self.reports.nudge(page);
        }
    }

    fn emit(&self, event: RuntimeEvent) {
        // There may be no subscriber.
        let _ = self.events.send(event);
    }
}

/// Forwards the events of a call to its caller and to the subscribers of the runtime.
struct Reported<'r> {
    inner: &'r Inner,
    page: PageId,
    observer: &'r dyn Observer,
}

impl Observer for Reported<'_> {
    fn event(&self, event: &RunEvent) {
        self.observer.event(event);
        self.inner.reports.call_runs(self.page, &event.call_id);
        if self.inner.events.receiver_count() > 0 {
            let session = self.inner.name.clone();
            self.inner.emit(RuntimeEvent::Call { session, page: self.page, event: Box::new(event.clone()) });
        }
    }
}
