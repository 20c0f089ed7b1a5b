//! A browser context of Chromium: opens, tracks and closes its pages.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use chromiumoxide_cdp::cdp::browser_protocol::target::{
    CloseTargetParams, CreateTargetParams, DisposeBrowserContextParams,
};
use chromiumoxide_cdp::cdp::js_protocol::runtime::RunIfWaitingForDebuggerParams;
use tokio::sync::{RwLock, broadcast, oneshot, watch};

use super::downloads::{Downloads, Ended};
use super::network::{Barrier, Checkpoint, Network};
use super::page::{ChromiumPage, PageSettings, WorkerRequests};
use crate::cdp::{Connection, Session, Target};
use crate::har::Recorder;
use crate::{
    Confinement, Context, ContextEvent, Deadline, Download, DownloadState, Error, FrameId, Frames,
    OriginState, Page, Refused, StorageState,
};

/// How many events a listener may fall behind before it misses some.
const EVENTS_KEPT: usize = 256;
/// How many origins are remembered for the storage state.
const ORIGINS_KEPT: usize = 1_000;
/// How many pages opened by pages may be open at once, so that a page cannot exhaust the machine.
const MOST_OPENED_BY_PAGES: usize = 64;

/// A browser context of Chromium. Dropping it closes it without waiting.
pub struct ChromiumContext {
    shared: Arc<ContextShared>,
}

/// The part of a context that its pages share.
pub(crate) struct ContextShared {
    id: String,
    connection: Connection,
    settings: Arc<PageSettings>,
    network: Arc<Network>,
    barrier: Option<Barrier>,
    checkpoint: Arc<Checkpoint>,
    downloads: Downloads,
    /// Whether its documents pass the checkpoint.
    is_guarded: AtomicBool,
    pages: Mutex<Pages>,
    changed: watch::Sender<u64>,
    events: broadcast::Sender<ContextEvent>,
    /// Locked while a page is being opened: shared for a visible page, exclusively for a hidden one. A target that
    /// appears under the exclusive lock is therefore the hidden page.
    opening: Arc<RwLock<()>>,
    next_is_hidden: AtomicBool,
}

/// A new page that was not handed to its caller yet. Dropping it closes the page without waiting.
struct Unclaimed {
    connection: Connection,
    target: Option<String>,
}

impl Drop for Unclaimed {
    fn drop(&mut self) {
        if let Some(target) = &self.target {
            close_target(&self.connection, target);
        }
    }
}

fn close_target(connection: &Connection, target: &str) {
    if let Ok(browser) = connection.browser() {
        // The page may be gone already; the response does not matter.
        browser.send_then(CloseTargetParams::new(target.to_owned()), drop);
    }
}

#[derive(Default)]
struct Pages {
    open: Vec<Arc<ChromiumPage>>,
    /// The origins of documents that main frames have shown.
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
        checkpoint: Arc<Checkpoint>,
        downloads: Downloads,
    ) -> Arc<Self> {
        Arc::new(Self {
            id,
            connection,
            settings,
            network,
            barrier,
            checkpoint,
            downloads,
            is_guarded: AtomicBool::new(false),
            pages: Mutex::default(),
            changed: watch::Sender::new(0),
            events: broadcast::Sender::new(EVENTS_KEPT),
            opening: Arc::default(),
            next_is_hidden: AtomicBool::new(false),
        })
    }

    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    pub(crate) fn network(&self) -> &Arc<Network> {
        &self.network
    }

    pub(super) fn downloads(&self) -> &Downloads {
        &self.downloads
    }

    /// Tells a page, and the page that opened it, of a download that it started.
    pub(crate) fn download_began(&self, page: &ChromiumPage, download: Download) {
        self.downloads.begun(download.clone(), Some(page.target()), page.opener());
        let opener = page.opener().and_then(|opener| self.page(opener));
        opener.iter().for_each(|opener| opener.emit_download(download.clone()));
        page.emit_download(download);
    }

    /// Tells the page that opened a page which has closed of a download that the latter started. A link that opens a page
    /// without naming itself as its opener makes it a download of every page.
    ///
    /// Returns false if no such page of this context has closed.
    pub(super) fn download_of_closed_page(&self, download: &Download) -> bool {
        let Some(opener) = self.downloads.opener_of_closed(download.frame.as_str()) else { return false };
        self.downloads.begun(download.clone(), None, opener.as_deref());
        self.tell_of_download(&opener.into_iter().collect::<Vec<_>>(), download);
        true
    }

    /// Tells every page of a download that began in no known page of this context.
    pub(super) fn download_of_nobody(&self, download: &Download) {
        self.downloads.begun(download.clone(), None, None);
        self.tell_of_download(&[], download);
    }

    /// Emits the event of a download on pages; on every page if none is named.
    fn tell_of_download(&self, pages: &[String], download: &Download) {
        let told = self.visible_pages().into_iter();
        let told = told.filter(|page| pages.is_empty() || pages.iter().any(|one| one == page.target()));
        told.for_each(|page| page.emit_download(download.clone()));
    }

    /// Notes how far a download got. If it has ended, tells its pages and returns it.
    pub(super) fn download_progressed(
        &self,
        id: &str,
        bytes: u64,
        ended: Option<DownloadState>,
    ) -> Option<Download> {
        let Ended { download, pages } = self.downloads.progressed(id, bytes, ended)?;
        self.tell_of_download(&pages, &download);
        Some(download)
    }

    /// The downloads that a page, or a page that it opened, has started.
    pub(crate) fn downloads_of(&self, page: &ChromiumPage) -> Vec<Download> {
        self.downloads.of_page(page.target())
    }

    /// Makes the documents of this context pass the checkpoint if it is confined.
    pub(crate) async fn guard_documents(&self, deadline: Deadline) -> Result<(), Error> {
        if self.network.needs_checkpoint() && !self.is_guarded.swap(true, Ordering::Relaxed) {
            let entered = self.checkpoint.enter(&self.browser()?, deadline).await;
            self.is_guarded.store(entered.is_ok(), Ordering::Relaxed);
            entered?;
        }
        Ok(())
    }

    /// From now on the pages of this context get no more documents.
    fn refuse_documents(&self) {
        if self.is_guarded.load(Ordering::Relaxed) {
            let pages = self.pages();
            let targets = pages.open.iter().map(|page| page.target().to_owned());
            self.checkpoint.close_context(&self.id, targets);
        }
    }

    /// Closes the context with its pages. What they asked for last is refused before this returns.
    pub(crate) async fn close(&self, deadline: Deadline) -> Result<(), Error> {
        let browser = self.connection.browser()?;
        self.refuse_documents();
        let command = DisposeBrowserContextParams::new(self.id.clone());
        match browser.send(command, deadline).await {
            // A refusal means that the context is already closed.
            Ok(_) | Err(Error::Refused { .. }) => {}
            Err(error) => return Err(error),
        }
        if self.is_guarded.swap(false, Ordering::Relaxed) {
            self.checkpoint.leave();
            self.checkpoint.rest(&browser, deadline).await?;
        }
        Ok(())
    }

    /// Follows the requests of a worker that belongs to no page.
    pub(crate) fn worker_attached(self: &Arc<Self>, session: &Session) {
        WorkerRequests::follow(session, &self.network, &self.settings, Arc::downgrade(self));
    }

    /// Reports a blocked request of a worker that belongs to no page: to the pages whose navigation it blocks, or else
    /// to every page of the context.
    pub(crate) fn worker_was_refused(&self, refused: &Refused) {
        let pages = self.confinable_pages();
        // Every such page, not only the first.
        let kept = pages.iter().filter(|page| page.is_stopped_by_worker(refused)).count();
        if kept == 0 {
            pages.iter().for_each(|page| page.note_refused_worker(refused));
        }
    }

    /// Registers a page that was just attached. It becomes visible when it is ready.
    pub(crate) fn page_attached(self: &Arc<Self>, session: Session, target: &Target) {
        if target.opener_id.is_some() && self.opened_by_pages() >= MOST_OPENED_BY_PAGES {
            tracing::warn!("closed a new page: pages have already opened {MOST_OPENED_BY_PAGES}");
            self.turn_away(&session, &target.id);
            return;
        }
        let hidden = target.opener_id.is_none() && self.next_is_hidden.swap(false, Ordering::Relaxed);
        let page = ChromiumPage::attach(session, target, self.settings.clone(), self, hidden);
        self.pages().open.push(page);
    }

    /// Closes a page that was just attached. Its opener may share its process and wait until it runs, so let it run; the
    /// document that it asks for until it is closed is refused.
    fn turn_away(&self, session: &Session, target: &str) {
        self.checkpoint.close_page(target);
        if let Some(interception) = self.network.interception() {
            session.send_then(interception, drop);
        }
        close_target(&self.connection, target);
        session.send_then(RunIfWaitingForDebuggerParams {}, drop);
        // There may be no listener.
        let _ = self.events.send(ContextEvent::PageRefused { limit: MOST_OPENED_BY_PAGES });
    }

    fn opened_by_pages(&self) -> usize {
        self.pages().open.iter().filter(|page| page.opener().is_some()).count()
    }

    pub(crate) fn page_ready(&self, page: &Arc<ChromiumPage>) {
        self.bump();
        if let Some(error) = page.unprepared() {
            // The caller of `open_page` closes a page it requested; a page opened by a page has no caller.
            if page.opener().is_some() {
                tracing::warn!("closing a popup that could not be prepared: {error}");
                page.request_close();
            }
            return;
        }
        if page.is_hidden() {
            return;
        }
        // There may be no listener.
        let _ = self.events.send(ContextEvent::PageOpened { main_frame: page.main_frame() });
        if let Some(opener) = page.opener().and_then(|opener| self.page(opener)) {
            opener.emit_opened(page.clone());
        }
    }

    pub(crate) fn page_ended(&self, page: &ChromiumPage) {
        self.checkpoint.close_page(page.target());
        self.downloads.page_closed(page.target(), page.opener());
        self.pages().open.retain(|known| known.target() != page.target());
        self.bump();
        if page.is_ready() && !page.is_hidden() {
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

    /// Every page to confine, including those that are not ready yet.
    fn confinable_pages(&self) -> Vec<Arc<ChromiumPage>> {
        self.pages().open.iter().filter(|page| !page.is_hidden()).cloned().collect()
    }

    pub(crate) fn keep_session_storage(&self, origins: Vec<OriginState>) {
        let kept = origins.into_iter().filter(|origin| !origin.session_storage.is_empty());
        self.pages().session_storage = kept.collect();
    }

    pub(crate) fn kept_session_storage(&self) -> Vec<OriginState> {
        self.pages().session_storage.clone()
    }

    /// Opens an internal page that callers never see.
    pub(crate) async fn open_hidden_page(
        self: &Arc<Self>,
        deadline: Deadline,
    ) -> Result<Arc<ChromiumPage>, Error> {
        let alone =
            self.within(deadline, "the turn to open a page", self.opening.clone().write_owned()).await?;
        self.next_is_hidden.store(true, Ordering::Relaxed);
        let this = self.clone();
        let appeared = move || {
            // The browser reports a new target before it responds, so the page has appeared by now or never will.
            this.next_is_hidden.store(false, Ordering::Relaxed);
            drop(alone);
        };
        self.open_page(appeared, deadline).await
    }

    async fn open_visible_page(&self, deadline: Deadline) -> Result<Arc<ChromiumPage>, Error> {
        let not_alone =
            self.within(deadline, "the turn to open a page", self.opening.clone().read_owned()).await?;
        self.open_page(move || drop(not_alone), deadline).await
    }

    /// Opens a page and waits until it is ready. Calls `appeared` when the browser has responded, even if the caller
    /// has stopped waiting by then; the page is closed in that case.
    async fn open_page(
        &self,
        appeared: impl FnOnce() + Send + 'static,
        deadline: Deadline,
    ) -> Result<Arc<ChromiumPage>, Error> {
        let command = CreateTargetParams {
            browser_context_id: Some(self.id.clone().into()),
            ..CreateTargetParams::new("about:blank")
        };
        let (sender, created) = oneshot::channel();
        let connection = self.connection.clone();
        self.browser()?.send_then(command, move |answer| {
            appeared();
            let opened = answer
                .map(|created| Unclaimed { connection, target: Some(created.target_id.inner().clone()) });
            // If the caller has stopped waiting, dropping the page closes it.
            drop(sender.send(opened));
        });
        let created = self.within(deadline, "the new page", created).await?;
        let mut unclaimed = created.map_err(|_| Error::PageClosed)??;
        let target = unclaimed.target.clone().unwrap_or_default();
        let page = self.ready_page(&target, deadline).await?;
        unclaimed.target = None;
        Ok(page)
    }

    /// Waits for a future until the deadline.
    async fn within<T>(
        &self,
        deadline: Deadline,
        waited_for: &str,
        coming: impl Future<Output = T>,
    ) -> Result<T, Error> {
        tokio::select! {
            biased;
            came = coming => Ok(came),
            () = self.connection.clock().sleep_until(deadline.at()) => Err(Error::Timeout {
                waited_for: waited_for.to_owned().into(),
                limit: deadline.limit(),
                saw: None,
            }),
        }
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

    /// Waits until no page that a target opened is still being prepared. The browser reports a page that a script opened
    /// before it confirms the input that ran the script.
    pub(crate) async fn settle_opened_by(&self, opener: &str, deadline: Deadline) {
        let mut changed = self.changed.subscribe();
        let mut lost = self.connection.lost();
        let is_preparing = |page: &&Arc<ChromiumPage>| {
            page.opener() == Some(opener) && !page.is_ready() && page.unprepared().is_none()
        };
        let waiting = async {
            while self.pages().open.iter().find(is_preparing).is_some() {
                tokio::select! {
                    changed = changed.changed() => if changed.is_err() { return },
                    _ = lost.wait_for(Option::is_some) => return,
                }
            }
        };
        tokio::select! {
            biased;
            () = waiting => {}
            () = self.connection.clock().sleep_until(deadline.at()) => {}
        }
    }

    /// Waits until the page of a target is ready.
    async fn ready_page(&self, target: &str, deadline: Deadline) -> Result<Arc<ChromiumPage>, Error> {
        let mut changed = self.changed.subscribe();
        let mut lost = self.connection.lost();
        let expired = self.connection.clock().sleep_until(deadline.at());
        tokio::pin!(expired);
        let mut seen = false;
        loop {
            match self.page(target) {
                Some(page) if page.is_ready() => return Ok(page),
                Some(page) => match page.unprepared() {
                    Some(error) => return Err(error),
                    None => seen = true,
                },
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
                        waited_for: "the new page".to_owned().into(),
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

    /// Opens an empty page and returns it as its Chromium type.
    pub async fn new_chromium_page(&self, deadline: Deadline) -> Result<Arc<ChromiumPage>, Error> {
        let page = self.shared.open_visible_page(deadline).await?;
        if let Err(error) = self.shared.begin_session_storage(&page, deadline).await {
            page.request_close();
            return Err(error);
        }
        Ok(page)
    }
}

impl Drop for ChromiumContext {
    fn drop(&mut self) {
        if let Ok(browser) = self.shared.connection.browser() {
            self.shared.refuse_documents();
            let guarded = self.shared.is_guarded.swap(false, Ordering::Relaxed);
            let checkpoint = guarded.then(|| self.shared.checkpoint.clone());
            // It may be closed already; what the response says does not matter.
            browser.send_then(DisposeBrowserContextParams::new(self.shared.id.clone()), move |_| {
                checkpoint.iter().for_each(|checkpoint| checkpoint.leave());
            });
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
        if self.shared.network.confinement().as_deref() == Some(&confinement) {
            return Ok(());
        }
        if confinement.confines_subresources() && self.shared.barrier.is_none() {
            let reason = "subresources can be confined only when the context is opened".to_owned();
            return Err(Error::ConfinementImpossible { reason });
        }
        self.shared.network.confine(confinement);
        self.shared.guard_documents(deadline).await
    }

    async fn record(&self, recorder: Option<Arc<Recorder>>, deadline: Deadline) -> Result<(), Error> {
        self.shared.network.record(recorder);
        for page in self.shared.confinable_pages() {
            match page.follow_recording(deadline).await {
                // A page that closes has no requests to record.
                Ok(()) | Err(Error::PageClosed) => {}
                Err(error) => {
                    self.shared.network.record(None);
                    return Err(error);
                }
            }
        }
        Ok(())
    }

    async fn storage_state(&self, deadline: Deadline) -> Result<StorageState, Error> {
        self.shared.read_storage(deadline).await
    }

    async fn close(&self, deadline: Deadline) -> Result<(), Error> {
        self.shared.close(deadline).await
    }
}
