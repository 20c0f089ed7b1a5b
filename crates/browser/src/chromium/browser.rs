//! A running Chromium: its contexts, their targets and downloads.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use async_trait::async_trait;
use chromiumoxide_cdp::cdp::browser_protocol::browser::{
    GetVersionReturns, SetDownloadBehaviorBehavior, SetDownloadBehaviorParams,
};
use chromiumoxide_cdp::cdp::browser_protocol::target::{
    CreateBrowserContextParams, DetachFromTargetParams, FilterEntry, SetAutoAttachParams, TargetFilter,
};
use chromiumoxide_cdp::cdp::js_protocol::runtime::RunIfWaitingForDebuggerParams;
use serde::Deserialize;

use super::context::{ChromiumContext, ContextShared};
use super::launch::{Reach, memory_of_group};
use super::lifeline::Lifeline;
use super::network::{Barrier, Checkpoint, Network, RequestPaused};
use super::page::{ChromiumPage, PageSettings};
use crate::cdp::{Attached, Connection, Event, EventHandler, Session, SessionEnd};
use crate::{
    Browser, Clock, Context, ContextOptions, Deadline, Download, DownloadPolicy, DownloadState, Error,
    FrameId, Steady, Viewport,
};

/// A running Chromium.
pub struct ChromiumBrowser {
    connection: Connection,
    lifeline: Mutex<Option<Lifeline>>,
    contexts: Arc<Contexts>,
    product: String,
    user_agent: String,
    viewport: Viewport,
    reach: Reach,
}

/// The contexts of a browser, and the downloads of their pages.
#[derive(Default)]
struct Contexts {
    known: Mutex<HashMap<String, Weak<ContextShared>>>,
    downloads: Mutex<HashMap<String, (Download, Weak<ChromiumPage>)>>,
    checkpoint: Arc<Checkpoint>,
}

impl ChromiumBrowser {
    /// Creates the browser over an open connection. From now on every new page waits for us before it runs any script.
    pub(crate) async fn open(
        lifeline: Lifeline,
        version: GetVersionReturns,
        viewport: Viewport,
        reach: Reach,
        deadline: Deadline,
    ) -> Result<Self, Error> {
        let connection = lifeline.connection().clone();
        let session = connection.browser()?;
        let contexts = Arc::new(Contexts::default());
        session.set_handler(contexts.clone());
        session.send_uncounted(auto_attach(&["page"]), deadline).await?;
        let user_agent = format!("{} actions/{}", version.user_agent, env!("CARGO_PKG_VERSION"));
        Ok(Self {
            connection,
            lifeline: Mutex::new(Some(lifeline)),
            contexts,
            product: version.product,
            user_agent,
            viewport,
            reach,
        })
    }

    /// The protocol session of the browser itself, for commands that the port does not offer.
    pub fn session(&self) -> Result<Session, Error> {
        self.connection.browser()
    }

    /// The process id of the browser, if we launched it and it is running.
    pub fn process_id(&self) -> Option<u32> {
        let lifeline = self.lifeline.lock().unwrap_or_else(PoisonError::into_inner);
        lifeline.as_ref().and_then(Lifeline::process_id)
    }

    /// Opens a context and returns it as its Chromium type.
    pub async fn new_chromium_context(
        &self,
        options: ContextOptions,
        deadline: Deadline,
    ) -> Result<ChromiumContext, Error> {
        let session = self.connection.browser()?;
        let barrier = Barrier::of(&options, self.reach).await?;
        let proxy = barrier.as_ref().map(Barrier::proxy).or(options.proxy.clone());
        let network = Arc::new(Network::new(&options));
        if network.concerns_everything() {
            // Shared and service workers belong to no page. From now on they wait for us, as pages do.
            session.send(auto_attach(&["page", "shared_worker", "service_worker"]), deadline).await?;
        }
        let command = CreateBrowserContextParams {
            dispose_on_detach: Some(true),
            proxy_server: proxy.as_ref().map(|proxy| proxy.server.clone()),
            proxy_bypass_list: proxy.and_then(|proxy| proxy.bypass),
            ..CreateBrowserContextParams::default()
        };
        let id = String::from(session.send(command, deadline).await?.browser_context_id);
        let user_agent = options.user_agent.unwrap_or_else(|| self.user_agent.clone());
        let suffix = options.user_agent_suffix.map(|suffix| format!(" {suffix}")).unwrap_or_default();
        let settings = PageSettings {
            viewport: options.viewport.unwrap_or(self.viewport),
            user_agent: user_agent + &suffix,
            major_version: major_version(&self.product).to_owned(),
            locale: options.locale,
            steady: options.steady.map(Steady::script),
            // The headless shell paints every page; full Chromium paints only the page in front.
            must_be_in_front: !self.product.starts_with("Headless"),
        };
        let shared = ContextShared::new(
            id,
            self.connection.clone(),
            Arc::new(settings),
            network,
            barrier,
            self.contexts.checkpoint.clone(),
        );
        let context = ChromiumContext::new(shared.clone());
        self.contexts.known().insert(shared.id().to_owned(), Arc::downgrade(&shared));
        shared.guard_documents(deadline).await?;
        session.send(download_behavior(&shared, options.downloads), deadline).await?;
        if let Some(state) = options.storage_state {
            shared.restore_storage(state, deadline).await?;
        }
        Ok(context)
    }

    fn take_lifeline(&self) -> Option<Lifeline> {
        self.lifeline.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

#[async_trait]
impl Browser for ChromiumBrowser {
    async fn new_context(
        &self,
        options: ContextOptions,
        deadline: Deadline,
    ) -> Result<Arc<dyn Context>, Error> {
        Ok(Arc::new(self.new_chromium_context(options, deadline).await?))
    }

    fn product(&self) -> String {
        self.product.clone()
    }

    fn user_agent(&self) -> String {
        self.user_agent.clone()
    }

    fn memory(&self) -> Option<u64> {
        // A browser that we launch leads a process group of its own.
        memory_of_group(self.process_id()?)
    }

    fn clock(&self) -> Arc<dyn Clock> {
        self.connection.clock().clone()
    }

    async fn lost(&self) -> Error {
        let mut lost = self.connection.lost();
        let reason = lost.wait_for(Option::is_some).await.ok().and_then(|reason| reason.clone());
        Error::BrowserLost { reason: reason.unwrap_or_default().to_string() }
    }

    async fn close_by(&self, deadline: Deadline) {
        let Some(lifeline) = self.take_lifeline() else { return };
        if lifeline.process_id().is_none() {
            let contexts = self.contexts.open();
            let closing = contexts.iter().map(|context| context.close(deadline));
            for closed in futures_util::future::join_all(closing).await {
                if let Err(error) = closed {
                    tracing::debug!("letting go of a browser with an open context: {error}");
                }
            }
            if let Ok(browser) = self.connection.browser()
                && let Err(error) = self.contexts.checkpoint.clear(&browser, deadline).await
            {
                tracing::debug!("letting go of a browser that may still have requests of ours: {error}");
            }
        }
        lifeline.close(deadline).await;
    }
}

impl Contexts {
    fn known(&self) -> MutexGuard<'_, HashMap<String, Weak<ContextShared>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn context(&self, id: Option<&str>) -> Option<Arc<ContextShared>> {
        let mut known = self.known();
        known.retain(|_, context| context.strong_count() > 0);
        known.get(id?).and_then(Weak::upgrade)
    }

    fn open(&self) -> Vec<Arc<ContextShared>> {
        self.known().values().filter_map(Weak::upgrade).collect()
    }

    fn page_with_frame(&self, frame: &FrameId) -> Option<Arc<ChromiumPage>> {
        self.open().iter().find_map(|context| context.page_with_frame(frame))
    }

    fn downloads(&self) -> MutexGuard<'_, HashMap<String, (Download, Weak<ChromiumPage>)>> {
        self.downloads.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Decides about a document that waits at the checkpoint. A frame that is no main frame of ours is not confined.
    fn document_paused(&self, browser: &Session, event: Event<'_>) {
        let Some(paused) = event.read::<RequestPaused>() else { return };
        if self.checkpoint.refuse_closed(browser, &paused).is_some() {
            return;
        }
        match self.open().iter().find_map(|context| context.page(&paused.frame_id)) {
            Some(page) => page.document_paused(browser, paused),
            None => self.checkpoint.let_pass(browser, &paused),
        }
    }

    fn download_began(&self, event: Event<'_>) {
        let Some(event) = event.read::<DownloadWillBegin>() else { return };
        let frame = FrameId::new(event.frame_id);
        let Some(page) = self.page_with_frame(&frame) else { return };
        let download = Download {
            id: event.guid.clone(),
            frame,
            url: event.url,
            suggested_name: event.suggested_filename,
            state: DownloadState::Begun,
        };
        let mut downloads = self.downloads();
        // The browser reports no end of a download whose page is closed first.
        downloads.retain(|_, (_, page)| page.strong_count() > 0);
        downloads.insert(event.guid, (download.clone(), Arc::downgrade(&page)));
        drop(downloads);
        page.emit_download(download);
    }

    fn download_progressed(&self, event: Event<'_>) {
        let Some(event) = event.read::<DownloadProgress>() else { return };
        let state = match event.state.as_str() {
            "completed" => DownloadState::Completed(event.file_path.map(Into::into)),
            "canceled" => DownloadState::Cancelled,
            _ => return,
        };
        let known = self.downloads().remove(&event.guid);
        if let Some((download, page)) = known
            && let Some(page) = page.upgrade()
        {
            page.emit_download(Download { state, ..download });
        }
    }
}

impl EventHandler for Contexts {
    fn on_event(&self, session: &Session, event: Event<'_>) {
        match event.method {
            "Fetch.requestPaused" => self.document_paused(session, event),
            "Browser.downloadWillBegin" => self.download_began(event),
            "Browser.downloadProgress" => self.download_progressed(event),
            _ => {}
        }
    }

    fn on_attached(&self, parent: &Session, Attached { session, target }: Attached) {
        let id = target.browser_context_id.as_deref();
        if id.is_some_and(|id| self.checkpoint.has_closed(id)) {
            self.checkpoint.close_page(&target.id);
            let_go(parent, &session);
            return;
        }
        match self.context(id) {
            Some(context) if target.kind == "page" => context.page_attached(session, &target),
            Some(context) if context.network().concerns_everything() => context.worker_attached(&session),
            _ => let_go(parent, &session),
        }
    }

    fn on_end(&self, _session: &Session, _end: &SessionEnd) {
        self.known().clear();
        self.downloads().clear();
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct DownloadWillBegin {
    frame_id: String,
    guid: String,
    url: String,
    suggested_filename: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct DownloadProgress {
    guid: String,
    state: String,
    #[serde(default)]
    file_path: Option<String>,
}

/// Lets a target run that is not ours or not of interest, and detaches from it.
pub(super) fn let_go(parent: &Session, session: &Session) {
    session.send_then(RunIfWaitingForDebuggerParams {}, drop);
    let id = session.id().map(str::to_owned);
    parent.send_then(DetachFromTargetParams { session_id: id.map(Into::into) }, drop);
}

/// The command that attaches to new targets of these kinds and makes them wait for us.
pub(super) fn auto_attach(kinds: &[&str]) -> SetAutoAttachParams {
    let wanted =
        kinds.iter().map(|&kind| FilterEntry { r#type: Some(kind.to_owned()), exclude: Some(false) });
    let nothing_else = FilterEntry { r#type: None, exclude: Some(true) };
    SetAutoAttachParams {
        auto_attach: true,
        wait_for_debugger_on_start: true,
        flatten: Some(true),
        filter: Some(TargetFilter::new(wanted.chain([nothing_else]).collect::<Vec<_>>())),
    }
}

fn download_behavior(context: &ContextShared, policy: DownloadPolicy) -> SetDownloadBehaviorParams {
    let (behavior, folder) = match policy {
        DownloadPolicy::Deny => (SetDownloadBehaviorBehavior::Deny, None),
        DownloadPolicy::SaveTo(folder) => (SetDownloadBehaviorBehavior::AllowAndName, Some(folder)),
    };
    SetDownloadBehaviorParams {
        browser_context_id: Some(context.id().to_owned().into()),
        download_path: folder.map(|folder| folder.to_string_lossy().into_owned()),
        events_enabled: Some(true),
        ..SetDownloadBehaviorParams::new(behavior)
    }
}

/// Returns `156` for `HeadlessChrome/156.0.8078.79`.
fn major_version(product: &str) -> &str {
    product.split('/').nth(1).and_then(|version| version.split('.').next()).unwrap_or_default()
}
