//! Opens sessions: a page in a context of its own, in a context of the caller's, or a page of the caller's.

use std::sync::Arc;
use std::time::Duration;

use actions_browser::{
    Browser, Clock, Confinement, Context, ContextOptions, Deadline, LoadState, NoPage, Page, SystemClock,
};
use actions_protocol::ErrorCode;

use super::Session;
use crate::engine::Engine;
use crate::failure::CallError;
use crate::policy::Access;
use crate::run::as_lost_call;

impl Engine {
    /// Opens a page in a new context and navigates to the start of the map. The context shares nothing with others, and
    /// its pages are confined to the allowed origins.
    ///
    /// Sessions may be opened side by side in one browser.
    pub async fn open(&self, browser: &dyn Browser) -> Result<Session, CallError> {
        self.gate.can_confine()?;
        let options = ContextOptions { confinement: self.confinement(), ..ContextOptions::default() };
        let deadline = self.opening(browser);
        let context = browser.new_context(options, deadline).await.map_err(failed)?;
        self.start(browser, context, None, deadline).await
    }

    /// Like [`Engine::open`], in a context of the caller's, and at `url` if one is given. The session owns the context
    /// from here on.
    pub async fn open_in(
        &self,
        browser: &dyn Browser,
        context: Arc<dyn Context>,
        url: Option<&str>,
    ) -> Result<Session, CallError> {
        self.open_confined(browser, context, url, self.confinement()).await
    }

    /// Like [`Engine::open_in`], confined to other origins than those of this map: a session of several maps is confined to
    /// the origins of all of them.
    pub async fn open_confined(
        &self,
        browser: &dyn Browser,
        context: Arc<dyn Context>,
        url: Option<&str>,
        confinement: Option<Confinement>,
    ) -> Result<Session, CallError> {
        self.gate.can_confine()?;
        let deadline = self.opening(browser);
        if let Some(confinement) = confinement {
            context.confine(confinement, deadline).await.map_err(failed)?;
        }
        self.start(browser, context, url, deadline).await
    }

    /// Opens a page in a confined context and navigates to the start address.
    async fn start(
        &self,
        browser: &dyn Browser,
        context: Arc<dyn Context>,
        url: Option<&str>,
        deadline: Deadline,
    ) -> Result<Session, CallError> {
        let start = url.map(str::to_owned).or_else(|| self.start_url());
        if let Some(start) = &start {
            self.admit_opening(browser, start, deadline).await?;
        }
        let page = context.new_page(deadline).await.map_err(failed)?;
        let session = Session::new(self.clone(), page, browser.clock(), Some(context));
        if let Some(start) = start {
            let navigated =
                session.page().navigate(&start, LoadState::Load, deadline).await.map_err(failed)?;
            // A login that has expired explains more than the HTTP error it may come with.
            if self.check_auth {
                session.check_auth_until(deadline).await?;
            }
            if !self.allow_http_error {
                navigated.refuse_http_error().map_err(failed)?;
            }
            session.set_start(start);
        }
        Ok(session)
    }

    /// Asks the policy whether the session may begin at an address, but waits no longer than opening may take.
    async fn admit_opening(
        &self,
        browser: &dyn Browser,
        url: &str,
        deadline: Deadline,
    ) -> Result<(), CallError> {
        let clock = browser.clock();
        tokio::select! {
            biased;
            admitted = self.gate.admit_access(Access::Open { url }) => admitted,
            () = clock.sleep_until(deadline.at()) => {
                Err(CallError::new(ErrorCode::HandlerTimeout, "the decision of the policy about the start page"))
            }
        }
    }

    /// The deadline for opening a page.
    fn opening(&self, browser: &dyn Browser) -> Deadline {
        let limit = Duration::from_millis(self.limits().call_timeout.0);
        self.no_later(Deadline::after(&*browser.clock(), limit))
    }

    /// A session without a page, for tools that need none: see [`Plan::needs_page`](crate::Plan::needs_page). Every other
    /// tool fails there with `capability_unavailable`.
    pub fn without_page(&self) -> Session {
        Session::new(self.clone(), Arc::new(NoPage::default()), Arc::new(SystemClock), None)
    }

    /// Works on a page of the caller's; dropping the session leaves it open.
    ///
    /// A page that leaves the allowed origins is detected after it has left, unless its context was confined to
    /// [`Engine::confinement`].
    pub fn on_page(&self, page: Arc<dyn Page>, clock: Arc<dyn Clock>) -> Session {
        Session::new(self.clone(), page, clock, None)
    }
}

fn failed(error: actions_browser::Error) -> CallError {
    as_lost_call(CallError::from(actions_primitives::Failure::from(error)))
}
