//! A browser context of Chromium.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use chromiumoxide_cdp::cdp::browser_protocol::target::{CreateTargetParams, DisposeBrowserContextParams};
use tokio::sync::{broadcast, watch};

use super::page::{ChromiumPage, PageSettings};
use crate::cdp::{Connection, Session, Target};
use crate::{Context, ContextEvent, Deadline, Error, FrameId, Page, StorageState};

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
    pages: Mutex<Pages>,
    changed: watch::Sender<u64>,
    events: broadcast::Sender<ContextEvent>,
}

#[derive(Default)]
struct Pages {
    open: Vec<Arc<ChromiumPage>>,
    origins: BTreeSet<String>,
}

impl ContextShared {
    pub(crate) fn new(id: String, connection: Connection, settings: Arc<PageSettings>) -> Arc<Self> {
        Arc::new(Self {
            id,
            connection,
            settings,
            pages: Mutex::default(),
            changed: watch::Sender::new(0),
            events: broadcast::Sender::new(EVENTS_KEPT),
        })
    }

    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    /// A page of this context was attached to; it becomes visible when it is ready.
    pub(crate) fn page_attached(self: &Arc<Self>, session: Session, target: &Target) {
        let page = ChromiumPage::attach(session, target, self.settings.clone(), Arc::downgrade(self));
        let opener = target.opener_id.as_deref().and_then(|opener| self.page(opener));
        self.pages().open.push(page.clone());
        if let Some(opener) = opener {
            opener.opened(page);
        }
    }

    pub(crate) fn page_ready(&self, page: &Arc<ChromiumPage>) {
        self.bump();
        let _ = self.events.send(ContextEvent::PageOpened { main_frame: page.main_frame() });
    }

    pub(crate) fn page_ended(&self, target: &str) {
        self.pages().open.retain(|page| page.target() != target);
        self.bump();
        let _ = self.events.send(ContextEvent::PageClosed { main_frame: FrameId::new(target) });
    }

    pub(crate) fn visited(&self, url: &str) {
        if let Some(origin) = origin_of(url) {
            let mut pages = self.pages();
            if pages.origins.len() < ORIGINS_KEPT {
                pages.origins.insert(origin);
            }
        }
    }

    pub(crate) fn page_with_frame(&self, frame: &FrameId) -> Option<Arc<ChromiumPage>> {
        self.pages().open.iter().find(|page| page.holds_frame(frame)).cloned()
    }

    fn page(&self, target: &str) -> Option<Arc<ChromiumPage>> {
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
        let shared = &self.shared;
        let browser = shared.connection.browser()?;
        let command = CreateTargetParams {
            browser_context_id: Some(shared.id.clone().into()),
            ..CreateTargetParams::new("about:blank")
        };
        let created = browser.send(command, deadline).await?;
        shared.ready_page(created.target_id.inner(), deadline).await
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
        let pages = self.shared.pages();
        let ready = pages.open.iter().filter(|page| page.is_ready()).cloned();
        ready.map(|page| page as Arc<dyn Page>).collect()
    }

    fn events(&self) -> broadcast::Receiver<ContextEvent> {
        self.shared.events.subscribe()
    }

    async fn storage_state(&self, _deadline: Deadline) -> Result<StorageState, Error> {
        Ok(StorageState::default())
    }

    async fn close(&self, deadline: Deadline) -> Result<(), Error> {
        self.dispose(deadline).await
    }
}

/// The origin of an http or https address.
fn origin_of(url: &str) -> Option<String> {
    let (scheme, rest) = url.split_once("://")?;
    if scheme != "http" && scheme != "https" {
        return None;
    }
    let host = rest.split(['/', '?', '#']).next()?;
    let host = host.rsplit('@').next()?;
    (!host.is_empty()).then(|| format!("{scheme}://{host}"))
}
