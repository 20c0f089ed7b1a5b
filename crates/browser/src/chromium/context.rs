//! A browser context of Chromium.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use chromiumoxide_cdp::cdp::browser_protocol::target::{CreateTargetParams, DisposeBrowserContextParams};
use tokio::sync::{RwLock, broadcast, watch};

use super::network::{Barrier, Network};
use super::page::{ChromiumPage, PageSettings, WorkerRequests};
use crate::cdp::{Connection, Session, Target};
use crate::{Confinement, Context, ContextEvent, Deadline, Error, FrameId, OriginState, Page, StorageState};

/// How many events a listener may be behind.
const EVENTS_KEPT: usize = 256;
/// How many origins are remembered for the storage state.
const ORIGINS_KEPT: usize = 1_000;

/// A browser context of Chromium. Dropping it closes it, without waiting.
pub struct ChromiumContext {
    shared: Arc<ContextShared>,
}

/// What the context's pages know of it.
pub(crate) struct ContextShared {
    id: String,
    connection: Connection,
    settings: Arc<PageSettings>,
    network: Arc<Network>,
    barrier: Option<Barrier>,
    pages: Mutex<Pages>,
    changed: watch::Sender<u64>,
    events: broadcast::Sender<ContextEvent>,
    /// Held by everyone who opens a page; a page for our own use is opened while nobody else does, so that it can be
    /// told from the others when it appears.
    opening: RwLock<()>,
    next_is_hidden: AtomicBool,
}

#[derive(Default)]
struct Pages {
    open: Vec<Arc<ChromiumPage>>,
    /// The origins that main frames have shown.
    origins: BTreeSet<String>,
    /// Session storage for every new page.
    session_storage: Vec<OriginState>,
}

impl ContextShared {
    pub(crate) fn new(
        id: String,
        connection: Connection,
        settings: Arc<PageSettings>,
        network: Arc<Network>,
        barrier: Option<Barrier>,
    ) -> Arc<Self> {
        Arc::new(Self {
            id,
            connection,
            settings,
            network,
            barrier,
            pages: Mutex::default(),
            changed: watch::Sender::new(0),
            events: broadcast::Sender::new(EVENTS_KEPT),
            opening: RwLock::new(()),
            next_is_hidden: AtomicBool::new(false),
        })
    }

    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    pub(crate) fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// A worker that belongs to no page was attached to.
    pub(crate) fn worker_attached(&self, session: &Session) {
        WorkerRequests::follow(session, self.network.clone());
    }

    /// A page of this context was attached to; it becomes visible when it is ready.
    pub(crate) fn page_attached(self: &Arc<Self>, session: Session, target: &Target) {
        let hidden = target.opener_id.is_none() && self.next_is_hidden.swap(false, Ordering::Relaxed);
        let page = ChromiumPage::attach(session, target, self.settings.clone(), self, hidden);
        self.pages().open.push(page);
    }

    pub(crate) fn page_ready(&self, page: &Arc<ChromiumPage>) {
        self.bump();
        if page.is_hidden() {
            return;
        }
        // Nobody may be listening.
        let _ = self.events.send(ContextEvent::PageOpened { main_frame: page.main_frame() });
        if let Some(opener) = page.opener().and_then(|opener| self.page(opener)) {
            opener.opened(page.clone());
        }
    }

    pub(crate) fn page_ended(&self, page: &ChromiumPage) {
        self.pages().open.retain(|known| known.target() != page.target());
        self.bump();
        if !page.is_hidden() {
            let _ = self.events.send(ContextEvent::PageClosed { main_frame: page.main_frame() });
        }
    }

    pub(crate) fn browser(&self) -> Result<Session, Error> {
        self.connection.browser()
    }

    pub(crate) fn origins(&self) -> Vec<String> {
        self.pages().origins.iter().cloned().collect()
    }

    pub(crate) fn visible_pages(&self) -> Vec<Arc<ChromiumPage>> {
        let pages = self.pages();
        pages.open.iter().filter(|page| page.is_ready() && !page.is_hidden()).cloned().collect()
    }

    pub(crate) fn keep_session_storage(&self, origins: Vec<OriginState>) {
        let kept = origins.into_iter().filter(|origin| !origin.session_storage.is_empty());
        self.pages().session_storage = kept.collect();
    }

    pub(crate) fn kept_session_storage(&self) -> Vec<OriginState> {
        self.pages().session_storage.clone()
    }

    /// Opens a page for our own use; nobody else sees it.
    pub(crate) async fn open_hidden_page(&self, deadline: Deadline) -> Result<Arc<ChromiumPage>, Error> {
        let _alone = self.opening.write().await;
        self.next_is_hidden.store(true, Ordering::Relaxed);
        let page = self.open_page(deadline).await;
        self.next_is_hidden.store(false, Ordering::Relaxed);
        page
    }

    async fn open_page(&self, deadline: Deadline) -> Result<Arc<ChromiumPage>, Error> {
        let command = CreateTargetParams {
            browser_context_id: Some(self.id.clone().into()),
            ..CreateTargetParams::new("about:blank")
        };
        let created = self.browser()?.send(command, deadline).await?;
        self.ready_page(created.target_id.inner(), deadline).await
    }

    pub(crate) fn visited(&self, url: &str) {
        if let Some(origin) = crate::origin_of(url) {
            let mut pages = self.pages();
            if pages.origins.len() < ORIGINS_KEPT {
                pages.origins.insert(origin);
            }
        }
    }

    pub(crate) fn page_with_frame(&self, frame: &FrameId) -> Option<Arc<ChromiumPage>> {
        self.pages().open.iter().find(|page| page.holds_frame(frame)).cloned()
    }

    pub(crate) fn page(&self, target: &str) -> Option<Arc<ChromiumPage>> {
        self.pages().open.iter().find(|page| page.target() == target).cloned()
    }

    fn pages(&self) -> MutexGuard<'_, Pages> {
        self.pages.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn bump(&self) {
        self.changed.send_modify(|version| *version = version.wrapping_add(1));
    }

    /// Waits until the page of a target can be used.
    async fn ready_page(&self, target: &str, deadline: Deadline) -> Result<Arc<ChromiumPage>, Error> {
        let mut changed = self.changed.subscribe();
        let mut lost = self.connection.lost();
        let expired = self.connection.clock().sleep_until(deadline.at());
        tokio::pin!(expired);
        let mut seen = false;
        loop {
            match self.page(target) {
                Some(page) if page.is_ready() => return Ok(page),
                Some(_) => seen = true,
                None if seen => return Err(self.connection.browser().err().unwrap_or(Error::PageClosed)),
                None => {}
            }
            tokio::select! {
                _ = changed.changed() => {}
                reason = lost.wait_for(Option::is_some) => {
                    let reason = reason.ok().and_then(|reason| reason.clone());
                    return Err(Error::BrowserLost { reason: reason.unwrap_or_default().to_string() });
                }
                () = &mut expired => {
                    return Err(Error::Timeout {
                        waited_for: "the new page".to_owned(),
                        limit: deadline.limit(),
                        saw: None,
                    });
                }
            }
        }
    }
}

impl ChromiumContext {
    pub(crate) fn new(shared: Arc<ContextShared>) -> Self {
        Self { shared }
    }

    /// Opens an empty page, as Chromium's own type.
    pub async fn new_chromium_page(&self, deadline: Deadline) -> Result<Arc<ChromiumPage>, Error> {
        let page = {
            let _not_alone = self.shared.opening.read().await;
            self.shared.open_page(deadline).await?
        };
        if let Err(error) = self.shared.begin_session_storage(&page, deadline).await {
            page.close(deadline).await?;
            return Err(error);
        }
        Ok(page)
    }

    async fn dispose(&self, deadline: Deadline) -> Result<(), Error> {
        let browser = self.shared.connection.browser()?;
        let command = DisposeBrowserContextParams::new(self.shared.id.clone());
        match browser.send(command, deadline).await {
            // Closed before.
            Ok(_) | Err(Error::Refused { .. }) => Ok(()),
            Err(error) => Err(error),
        }
    }
}

impl Drop for ChromiumContext {
    fn drop(&mut self) {
        if let Ok(browser) = self.shared.connection.browser() {
            // It may have been closed before, and nobody is left to tell.
            browser.send_then(DisposeBrowserContextParams::new(self.shared.id.clone()), drop);
        }
    }
}

#[async_trait]
impl Context for ChromiumContext {
    async fn new_page(&self, deadline: Deadline) -> Result<Arc<dyn Page>, Error> {
        let page: Arc<dyn Page> = self.new_chromium_page(deadline).await?;
        Ok(page)
    }

    fn pages(&self) -> Vec<Arc<dyn Page>> {
        self.shared.visible_pages().into_iter().map(|page| page as Arc<dyn Page>).collect()
    }

    fn events(&self) -> broadcast::Receiver<ContextEvent> {
        self.shared.events.subscribe()
    }

    async fn confine(&self, confinement: Confinement, deadline: Deadline) -> Result<(), Error> {
        if confinement.confines_subresources() && !matches!(self.shared.barrier, Some(Barrier::Guarded(_))) {
            let reason = "subresources are confined when a context is opened, or never".to_owned();
            return Err(Error::ConfinementImpossible { reason });
        }
        self.shared.network.confine(confinement);
        for page in self.shared.visible_pages() {
            page.intercept(deadline).await?;
        }
        Ok(())
    }

    async fn storage_state(&self, deadline: Deadline) -> Result<StorageState, Error> {
        self.shared.read_storage(deadline).await
    }

    async fn close(&self, deadline: Deadline) -> Result<(), Error> {
        self.dispose(deadline).await
    }
}
