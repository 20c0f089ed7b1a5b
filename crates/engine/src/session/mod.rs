//! A map on the pages of a browser context: one page is current, and calls run there one after the other.

mod call;
mod fixed;
mod open;
mod redirect;
mod services;
mod site_call;
mod state;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use actions_browser::{Clock, Context, Deadline, Page};
use actions_primitives::Stage;
use actions_protocol::{ErrorCode, Millis};
use tokio::sync::MutexGuard;

pub use call::Call;
pub use site_call::{SiteCall, SiteOutcome};
pub use state::StateOptions;

use crate::engine::Engine;
use crate::failure::CallError;
use crate::plan::CheckedInput;
use crate::site::SiteRequest;
use crate::state::Snapshots;
use services::MapServices;

/// A map on the pages of a browser context. Calls run one after the other, on the page that is current when they begin.
///
/// What primitives remember (pacing, markers, tasks, stored values) belongs to the session and outlives each page.
/// Dropping a session closes the context it owns with all its pages, without waiting.
pub struct Session {
    engine: Engine,
    /// The current page, with the services of the session.
    current: Mutex<Stage>,
    turn: tokio::sync::Mutex<()>,
    snapshots: Snapshots,
    /// The context, if the session owns it.
    context: Option<Arc<dyn Context>>,
    /// The address the session was opened with, until the first call.
    start: Mutex<Option<String>>,
    /// The span of everything that happens in the session.
    span: tracing::Span,
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session")
            .field("current", &self.stage())
            .field("owns_context", &self.context.is_some())
            .finish()
    }
}

impl Session {
    pub(crate) fn new(
        engine: Engine,
        page: Arc<dyn Page>,
        clock: Arc<dyn Clock>,
        context: Option<Arc<dyn Context>>,
    ) -> Self {
        let services = MapServices::new(Arc::clone(&engine.plans.manifest), engine.limits().pace);
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let stage = Stage::new(page, clock, engine.permits.clone()).with_services(Arc::new(services));
        Self {
            engine,
            current: Mutex::new(stage),
            turn: tokio::sync::Mutex::new(()),
            snapshots: Snapshots::default(),
            context,
            start: Mutex::default(),
            span: tracing::info_span!("session", id = NEXT.fetch_add(1, Ordering::Relaxed)),
        }
    }

    /// The current page: the one that calls run on.
    pub fn page(&self) -> Arc<dyn Page> {
        Arc::clone(self.stage().page_arc())
    }

    /// The open pages, in the order in which they opened; popups are among them. A session that does not own its
    /// context knows its current page only.
    pub fn pages(&self) -> Vec<Arc<dyn Page>> {
        match &self.context {
            Some(context) => context.pages(),
            None => vec![self.page()],
        }
    }

    /// Makes another open page of the session the current one, as soon as no call runs.
    ///
    /// ```no_run
    /// # async fn example(session: actions_engine::Session) -> Result<(), actions_engine::CallError> {
    /// if let Some(popup) = session.pages().pop() {
    ///     session.switch_to(&popup).await?;
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub async fn switch_to(&self, page: &Arc<dyn Page>) -> Result<(), CallError> {
        let _turn = self.turn(self.deadline(None)).await?;
        let frame = page.main_frame();
        let Some(page) = self.pages().into_iter().find(|known| known.main_frame() == frame) else {
            return Err(CallError::new(
                ErrorCode::PageClosed,
                "the page is not an open page of this session",
            )
            .with_evidence("url", page.url()));
        };
        let mut current = self.current();
        *current = current.on(page);
        Ok(())
    }

    /// The current page as primitives see it.
    pub fn stage(&self) -> Stage {
        self.current().clone()
    }

    fn current(&self) -> std::sync::MutexGuard<'_, Stage> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A call of a tool, to be completed and run.
    pub fn call(&self, tool: impl Into<String>) -> Call<'_> {
        Call::new(self, tool.into())
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

    /// A request of `actions.site`, to be completed and run: what a map offers here, one of its tools, or the state
    /// of the page.
    pub fn site(&self, request: SiteRequest) -> SiteCall<'_> {
        SiteCall::new(self, request)
    }

    fn span(&self) -> tracing::Span {
        self.span.clone()
    }

    pub(crate) fn engine(&self) -> &Engine {
        &self.engine
    }

    pub(crate) fn clock(&self) -> Arc<dyn Clock> {
        self.current().clock()
    }

    /// The deadline of something that begins now.
    pub(crate) fn deadline(&self, timeout: Option<Millis>) -> Deadline {
        let limit = timeout.unwrap_or(self.engine.limits().call_timeout);
        Deadline::after(&*self.clock(), Duration::from_millis(limit.0))
    }

    /// Waits until no other call runs in the session.
    pub(crate) async fn turn(&self, deadline: Deadline) -> Result<MutexGuard<'_, ()>, CallError> {
        let clock = self.clock();
        tokio::select! {
            biased;
            turn = self.turn.lock() => Ok(turn),
            () = clock.sleep_until(deadline.at()) => {
                let message =
                    format!("another call on the same page did not end within {:?}", deadline.limit());
                Err(CallError::new(ErrorCode::HandlerTimeout, message)
                    .with_evidence("waiting", "the end of the call before this one"))
            }
        }
    }

    /// Closes the context the session owns, and waits until it is closed.
    pub async fn close(mut self) {
        if let Some(context) = self.context.take() {
            let deadline = Deadline::after(&*self.clock(), CLOSING);
            // There is nothing to do about a context that does not close.
            let _ = context.close(deadline).await;
        }
    }
}

/// How long closing a context may take.
const CLOSING: Duration = Duration::from_secs(5);

impl Drop for Session {
    fn drop(&mut self) {
        let Some(context) = self.context.take() else { return };
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        let clock = self.clock();
        runtime.spawn(async move {
            let deadline = Deadline::after(&*clock, CLOSING);
            let _ = context.close(deadline).await;
        });
    }
}
