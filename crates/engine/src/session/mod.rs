//! A map on the pages of a browser context. Calls on one page run one after the other; pages do not wait for each other.

mod call;
mod fixed;
mod here;
mod open;
mod pages;
mod redirect;
mod services;
mod setters;
mod signals;
mod site_call;
mod state;
mod tabs;
mod traverse;

use std::sync::Arc;
use std::time::Duration;

use actions_browser::{Clock, Context, Deadline, Page, Recorder, StorageState};
use actions_primitives::{Host, Stage};
use actions_protocol::Millis;

pub use call::Call;
pub use pages::PageId;
pub use signals::AttachmentStanding;
pub use site_call::{SiteCall, SiteOutcome};
pub use state::StateOptions;
pub use traverse::{Traversal, TraversalOutcome};

use crate::engine::Engine;
use crate::failure::CallError;
use crate::plan::CheckedInput;
use crate::policy::Consent;
use crate::run::as_lost_call;
use crate::site::SiteRequest;
use pages::{CLOSING, HeldPage, Pages, Turn, closed};
use services::MapServices;

/// A map on the pages of a browser context.
///
/// A session is a view: it is cheap to clone, and clones share the pages and what primitives remember (pacing, markers,
/// tasks, stored values). Calls run on the current page, or on one page if the view was made by [`Session::on`]. Calls on
/// one page run one after the other; calls on different pages run side by side.
///
/// Dropping the last view closes the context that the session owns with all its pages, without waiting.
#[derive(Clone)]
pub struct Session {
    engine: Engine,
    pages: Arc<Pages>,
    /// The page that calls run on; the current page if absent.
    focus: Option<PageId>,
    services: Arc<MapServices>,
}

/// An open page of a session.
#[derive(Clone)]
#[non_exhaustive]
pub struct SessionPage {
    /// Its number in the session.
    pub id: PageId,
    /// The id by which clients of a runtime address it: the name of the session and the number.
    pub runtime_id: String,
    /// The page that opened it, if a page did.
    pub opener: Option<PageId>,
    /// Whether calls that name no page run on it.
    pub is_current: bool,
    /// The page itself.
    pub page: Arc<dyn Page>,
}

impl std::fmt::Debug for SessionPage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SessionPage")
            .field("runtime_id", &self.runtime_id)
            .field("opener", &self.opener)
            .field("is_current", &self.is_current)
            .field("url", &self.page.url())
            .finish_non_exhaustive()
    }
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session")
            .field("name", &self.pages.name())
            .field("pages", &self.pages())
            .field("focus", &self.focus)
            .finish_non_exhaustive()
    }
}

impl Session {
    pub(crate) fn new(
        engine: Engine,
        page: Arc<dyn Page>,
        clock: Arc<dyn Clock>,
        context: Option<Arc<dyn Context>>,
    ) -> Self {
        let pages = Pages::new(page, clock, context, engine.limits().pace);
        let services = MapServices::new(Arc::clone(&engine.plans.manifest), Arc::clone(&pages));
        Self { engine, pages, focus: None, services: Arc::new(services) }
    }

    /// The same pages under another map, or under a newer version of this one. Both views share what the session
    /// remembers.
    ///
    /// Pages stay confined to the origins they were opened with; see [`Context::confine`] to change that.
    #[must_use]
    pub fn with_map(&self, engine: Engine) -> Self {
        let services = MapServices::new(Arc::clone(&engine.plans.manifest), Arc::clone(&self.pages));
        Self { engine, pages: Arc::clone(&self.pages), focus: self.focus, services: Arc::new(services) }
    }

    /// A view of one page: calls and readings run there, whichever page is current. They fail with `page_closed` when the
    /// page is not open.
    ///
    /// ```no_run
    /// # async fn example(session: actions_engine::Session) {
    /// let pages = session.pages();
    /// let calls = pages.iter().map(|page| {
    ///     let session = session.on(page.id);
    ///     async move { session.call("list.read").run().await }
    /// });
    /// let outcomes = futures_util::future::join_all(calls).await;
    /// # }
    /// ```
    #[must_use]
    pub fn on(&self, page: PageId) -> Self {
        Self { focus: Some(page), ..self.clone() }
    }

    /// Names the session. The ids of its pages begin with the name.
    #[must_use]
    pub fn named(self, name: impl Into<String>) -> Self {
        self.pages.set_name(name.into());
        self
    }

    /// What the program around the engine offers to primitives: a storage folder, an agent, the limit of results. Every view
    /// of the session shares it, and the first one stays.
    #[must_use]
    pub fn with_host(self, host: Arc<dyn Host>) -> Self {
        self.pages.memory().host.set(host);
        self
    }

    /// The same pages for a caller who has agreed to this in advance.
    #[must_use]
    pub fn consenting(&self, consent: Consent) -> Self {
        Self { engine: self.engine.clone().with_consent(consent), ..self.clone() }
    }

    /// Notes that a tool has succeeded, because a person says so: tools that depend on it may be called.
    pub fn assume_succeeded(&self, tool: impl Into<String>) {
        self.pages.memory().history.succeeded(tool);
    }

    /// The name of the session for people, if `runtime.session.name` gave it one.
    pub fn title(&self) -> Option<String> {
        self.pages.memory().title.get()
    }

    /// The name of the session.
    pub fn name(&self) -> String {
        self.pages.name()
    }

    /// The map of this view.
    pub fn map(&self) -> &Engine {
        &self.engine
    }

    /// The page that calls run on.
    pub fn page(&self) -> Arc<dyn Page> {
        Arc::clone(self.held().page())
    }

    /// The number of the page that calls run on.
    pub fn page_id(&self) -> PageId {
        self.held().id
    }

    /// The open pages, in the order in which they opened; popups are among them. A session that does not own its
    /// context knows the page it was made for.
    pub fn pages(&self) -> Vec<SessionPage> {
        let current = self.pages.current().id;
        let name = self.pages.name();
        let page = |held: Arc<HeldPage>| SessionPage {
            id: held.id,
            runtime_id: format!("{name}-{}", held.id),
            opener: held.opener,
            is_current: held.id == current,
            page: Arc::clone(held.page()),
        };
        self.pages.open().into_iter().map(page).collect()
    }

    /// Makes another open page of the session the current one. Calls that are running stay on their page.
    ///
    /// ```no_run
    /// # fn example(session: actions_engine::Session) -> Result<(), actions_engine::CallError> {
    /// if let Some(popup) = session.pages().pop() {
    ///     session.switch_to(popup.id)?;
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn switch_to(&self, page: PageId) -> Result<(), CallError> {
        self.pages.activate(page).map(drop).ok_or_else(|| closed(page))
    }

    /// Reads the cookies and the storage of the session, to restore them in another context.
    pub async fn storage_state(&self, timeout: Option<Millis>) -> Result<StorageState, CallError> {
        let deadline = self.deadline(timeout);
        let Some(context) = self.pages.context() else { return Err(without_context()) };
        let state = context.storage_state(deadline).await;
        state.map_err(|error| as_lost_call(CallError::from(actions_primitives::Failure::from(error))))
    }

    /// Records the requests of every page of the session from now on, or no longer. The pages keep running meanwhile, so a
    /// recording that begins late does not have the documents they show.
    pub async fn record(&self, recorder: Option<Arc<Recorder>>) -> Result<(), CallError> {
        let Some(context) = self.pages.context() else { return Err(without_context()) };
        let recording = context.record(recorder, self.deadline(None)).await;
        recording.map_err(|error| as_lost_call(CallError::from(actions_primitives::Failure::from(error))))
    }

    /// The page of this view, which is the last one it had if it has closed.
    fn held(&self) -> Arc<HeldPage> {
        let focused = self.focus.and_then(|id| self.pages.page(id));
        focused.unwrap_or_else(|| self.pages.current())
    }

    /// The page that calls run on, as primitives see it.
    pub fn stage(&self) -> Stage {
        self.stage_on(&self.held())
    }

    /// A page as primitives see it under the map of this view.
    pub(crate) fn stage_on(&self, held: &HeldPage) -> Stage {
        let services = Arc::clone(&self.services);
        let permits = self.engine.permits.clone().origins(self.engine.gate.origins());
        held.stage.clone().with_permits(permits).with_services(services)
    }

    /// A call of a tool, to be completed and run.
    pub fn call(&self, tool: impl Into<String>) -> Call<'_> {
        Call::tool(self, tool.into())
    }

    /// A call of a tool with input that was validated before, to be completed and run.
    ///
    /// ```no_run
    /// # async fn example(
    /// #     engine: actions_engine::Engine, browser: &dyn actions_engine::browser::Browser,
    /// # ) -> Result<(), actions_engine::CallError> {
    /// // Wrong arguments are an error before a page is opened.
    /// let input = engine.plan("search.submit")?.accept(serde_json::json!({ "query": "maps" }))?;
    /// let outcome = engine.open(browser).await?.call_with(input).run().await;
    /// # Ok(())
    /// # }
    /// ```
    pub fn call_with(&self, input: CheckedInput) -> Call<'_> {
        Call::with(self, input)
    }

    /// A call of one primitive that no tool of the map makes, to be completed and run. The value of the call is the output of
    /// the primitive. The policy decides about it as about a primitive of a tool.
    pub fn primitive(&self, name: impl Into<String>) -> Call<'_> {
        Call::primitive(self, name.into())
    }

    /// A request of `actions.site`, to be completed and run: what a map offers here, one of its tools, or the state
    /// of the page.
    pub fn site(&self, request: SiteRequest) -> SiteCall<'_> {
        SiteCall::new(self, request)
    }

    fn span(&self) -> tracing::Span {
        self.pages.span()
    }

    pub(crate) fn engine(&self) -> &Engine {
        &self.engine
    }

    pub(crate) fn clock(&self) -> Arc<dyn Clock> {
        self.pages.clock()
    }

    /// The deadline of something that begins now.
    pub(crate) fn deadline(&self, timeout: Option<Millis>) -> Deadline {
        let limit = timeout.unwrap_or(self.engine.limits().call_timeout);
        self.engine.no_later(Deadline::after(&*self.clock(), Duration::from_millis(limit.0)))
    }

    /// Waits until no other call runs on the page of this view.
    pub(crate) async fn turn(&self, deadline: Deadline) -> Result<Turn, CallError> {
        self.pages.turn(self.focus, deadline).await
    }

    /// Closes the context the session owns, and waits until it is closed. Other views of the session end with it.
    pub async fn close(self) {
        if let Some(context) = self.pages.take_context() {
            let deadline = Deadline::after(&*self.clock(), CLOSING);
            // There is nothing to do about a context that does not close.
            let _ = context.close(deadline).await;
        }
    }
}

fn without_context() -> CallError {
    let message = "the session does not own its browser context";
    CallError::new(actions_protocol::ErrorCode::CapabilityUnavailable, message)
}
