//! A running Chromium: its contexts, their targets and downloads.

use std::collections::{HashMap, VecDeque};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use async_trait::async_trait;
use chromiumoxide_cdp::cdp::browser_protocol::browser::{
    CancelDownloadParams, GetVersionReturns, PermissionDescriptor, PermissionSetting,
    SetDownloadBehaviorBehavior, SetDownloadBehaviorParams, SetPermissionParams,
};
use chromiumoxide_cdp::cdp::browser_protocol::target::{
    CreateBrowserContextParams, DetachFromTargetParams, FilterEntry, SetAutoAttachParams, TargetFilter,
};
use chromiumoxide_cdp::cdp::js_protocol::runtime::RunIfWaitingForDebuggerParams;
use serde::Deserialize;

use super::context::{ChromiumContext, ContextShared};
use super::downloads::Downloads;
use super::launch::{Reach, memory_of_group};
use super::lifeline::Lifeline;
use super::network::{Barrier, Checkpoint, Network, RequestPaused};
use super::page::{ChromiumPage, PageSettings};
use crate::cdp::{Attached, Connection, Event, EventHandler, Session, SessionEnd};
use crate::{
    Browser, Clock, Context, ContextOptions, Deadline, Download, DownloadState, Error, FrameId, Steady,
    Viewport,
};

/// How many downloads of no known page are remembered.
const UNCLAIMED_KEPT: usize = 64;

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

/// The contexts of a browser.
#[derive(Default)]
struct Contexts {
    known: Mutex<HashMap<String, Weak<ContextShared>>>,
    /// Downloads that began in a frame of no page we know. The folder of their file says whose they are.
    unclaimed: Mutex<VecDeque<Download>>,
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
        let settings = PageSettings {
            viewport: options.viewport.unwrap_or(self.viewport),
            user_agent: options.user_agent.unwrap_or_else(|| self.user_agent.clone()),
            major_version: major_version(&self.product).to_owned(),
            locale: options.locale,
            geolocation: options.geolocation,
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
            Downloads::new(&options.downloads)?,
        );
        let context = ChromiumContext::new(shared.clone());
        self.contexts.known().insert(shared.id().to_owned(), Arc::downgrade(&shared));
        shared.guard_documents(deadline).await?;
        session.send(download_behavior(&shared), deadline).await?;
        for permission in options.permissions {
            let command = SetPermissionParams {
                browser_context_id: Some(shared.id().to_owned().into()),
                ..SetPermissionParams::new(
                    PermissionDescriptor::new(permission.as_str()),
                    PermissionSetting::Granted,
                )
            };
            session.send(command, deadline).await?;
        }
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
        let page = self.page_with_frame(&frame);
        let download = Download {
            id: event.guid.clone(),
            frame,
            url: event.url,
            suggested_name: event.suggested_filename,
            state: DownloadState::Begun,
        };
        match page {
            Some(page) => page.download_began(download),
            // A page that was opened for the download alone closes before it begins, or never opens.
            None if self.open().iter().any(|context| context.download_of_closed_page(&download)) => {}
            None => {
                let mut unclaimed = self.unclaimed.lock().unwrap_or_else(PoisonError::into_inner);
                if unclaimed.len() == UNCLAIMED_KEPT {
                    unclaimed.pop_front();
                }
                unclaimed.push_back(download);
            }
        }
    }

    /// Gives a download that began in no known page to the context in whose folder its file lies.
    fn claim(&self, id: &str, file: &Path) {
        let mut unclaimed = self.unclaimed.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(at) = unclaimed.iter().position(|download| download.id == id) else { return };
        let Some(download) = unclaimed.remove(at) else { return };
        drop(unclaimed);
        let contexts = self.open().into_iter();
        let mut owners = contexts
            .filter(|context| context.downloads().folder().is_some_and(|folder| file.starts_with(folder)));
        if let Some(owner) = owners.next() {
            owner.download_of_nobody(&download);
        }
    }

    fn download_progressed(&self, session: &Session, event: Event<'_>) {
        let Some(event) = event.read::<DownloadProgress>() else { return };
        let ended = match event.state.as_str() {
            "completed" => Some(DownloadState::Completed(event.file_path.map(Into::into))),
            "canceled" => Some(DownloadState::Cancelled),
            _ => None,
        };
        if let Some(DownloadState::Completed(Some(file))) = &ended {
            self.claim(&event.guid, file);
        }
        let bytes = event.received_bytes.max(event.total_bytes) as u64;
        for context in self.open() {
            let Some(download) = context.download_progressed(&event.guid, bytes, ended.clone()) else {
                continue;
            };
            if matches!(download.state, DownloadState::TooLarge { .. }) {
                let cancel = CancelDownloadParams {
                    browser_context_id: Some(context.id().to_owned().into()),
                    ..CancelDownloadParams::new(event.guid.clone())
                };
                // It may just be complete; its file is deleted with the context.
                session.send_then(cancel, drop);
            }
        }
    }
}

impl EventHandler for Contexts {
    fn on_event(&self, session: &Session, event: Event<'_>) {
        match event.method {
            "Fetch.requestPaused" => self.document_paused(session, event),
            "Browser.downloadWillBegin" => self.download_began(event),
            "Browser.downloadProgress" => self.download_progressed(session, event),
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
    /// The browser counts bytes in floating point.
    #[serde(default)]
    received_bytes: f64,
    #[serde(default)]
    total_bytes: f64,
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

fn download_behavior(context: &ContextShared) -> SetDownloadBehaviorParams {
    let folder = context.downloads().folder();
    let behavior = match folder {
        None => SetDownloadBehaviorBehavior::Deny,
        Some(_) => SetDownloadBehaviorBehavior::AllowAndName,
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
