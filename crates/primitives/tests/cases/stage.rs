//! Opens a page in a new browser context and performs primitives on it.

use std::ffi::OsString;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use actions_browser::{
    Browser, Context, ContextOptions, Counters, Deadline, DownloadPolicy, Error, LoadState, Page, origin_of,
};
use actions_dictionary::Primitive;
use actions_primitives::{
    BundleFolder, BundleStorage, Failure, Host, HostedAgent, HttpCaller, MapFile, Marker, Memory,
    PayloadLimit, Permits, ProcessAgent, Services, Stage, Tab, Tabs, WabCaller, perform,
};
use async_trait::async_trait;
use serde_json::Value;

use crate::case::fixtures;
use crate::commands::Commands;
use crate::requests::Requests;

const OPENING: Duration = Duration::from_secs(60);

/// A page in its own browser context, and the stage on it.
pub(crate) struct Opened {
    pub(crate) stage: Stage,
    pub(crate) page: Arc<dyn Page>,
    context: Arc<dyn Context>,
    /// The folder that downloads are saved to.
    _saved: Option<tempfile::TempDir>,
}

/// A deadline in `ms` milliseconds.
pub(crate) fn within(stage: &Stage, ms: u64) -> Deadline {
    Deadline::after(&*stage.clock(), Duration::from_millis(ms))
}

/// The services of a session whose map declares seven files.
struct FixtureServices {
    memory: Memory,
    /// Absent on a page that belongs to no session.
    tabs: Option<FixtureTabs>,
}

/// The tabs of a browser context, numbered in the order in which they opened.
struct FixtureTabs {
    context: Arc<dyn Context>,
    /// Every page that was ever open.
    known: Mutex<Vec<Arc<dyn Page>>>,
    active: Mutex<u64>,
}

impl FixtureTabs {
    fn open_tabs(&self) -> Vec<Tab> {
        let mut known = self.known.lock().expect("no test panics here");
        for page in self.context.pages() {
            if !known.iter().any(|known| Arc::ptr_eq(known, &page)) {
                known.push(page);
            }
        }
        let open = known.iter().zip(1..).filter(|(page, _)| !page.is_closed());
        let mut open: Vec<Tab> = open
            .map(|(page, id)| Tab {
                id,
                runtime_id: format!("fixture-{id}"),
                is_active: false,
                page: Arc::clone(page),
            })
            .collect();
        let active = *self.active.lock().expect("no test panics here");
        let at = open.iter().position(|tab| tab.id == active).unwrap_or(0);
        open.get_mut(at).into_iter().for_each(|tab| tab.is_active = true);
        open
    }
}

#[async_trait]
impl Tabs for FixtureTabs {
    fn list(&self) -> Vec<Tab> {
        self.open_tabs()
    }

    async fn open(&self, deadline: Deadline) -> Result<Tab, Failure> {
        let page = self.context.new_page(deadline).await?;
        let tab = self.open_tabs().into_iter().find(|tab| Arc::ptr_eq(&tab.page, &page));
        Ok(tab.expect("a page that was opened is open"))
    }

    fn activate(&self, id: u64) -> Option<Tab> {
        *self.active.lock().expect("no test panics here") = id;
        self.open_tabs().into_iter().find(|tab| tab.id == id)
    }
}

impl Services for FixtureServices {
    fn memory(&self) -> &Memory {
        &self.memory
    }

    fn files(&self) -> Vec<MapFile> {
        let folder = fixtures().join("storage/list");
        let file = |id: Option<&str>, path: &str, kind: Option<&str>| MapFile {
            id: id.map(str::to_owned),
            path: path.to_owned(),
            kind: kind.map(str::to_owned),
            folder: folder.clone(),
        };
        vec![
            file(Some("guide"), "files/guide.md", Some("skill")),
            file(None, "files/missing.md", None),
            // The file exists, but outside the folder of the map.
            file(None, "../../page/info/index.html", None),
            file(Some("twice"), "files/guide.md", None),
            file(Some("twice"), "files/notes.md", None),
            file(None, "files/report.html", None),
            file(None, "files/report.json", None),
        ]
    }

    fn tabs(&self) -> Option<&dyn Tabs> {
        self.tabs.as_ref().map(|tabs| tabs as &dyn Tabs)
    }
}

/// A program around the engine, with a folder, an agent that is a shell, and a limit of results.
#[derive(Debug)]
struct FixtureHost {
    storage: BundleFolder,
    agent: ProcessAgent,
    limit: AtomicU64,
    requests: Requests,
    commands: Commands,
    _folder: tempfile::TempDir,
}

/// The agent says what it hears, and has three memories.
const AGENT: &str = r#"while read -r line; do case "$line" in
    *memory_clear*) echo '{"type":"memory_cleared","count":3}';;
    *) echo "{\"type\":\"agent_message\",\"text\":\"heard\"}";;
esac; done"#;

const DEFAULT_LIMIT: u64 = 50_000;

impl FixtureHost {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder can be made");
        Self {
            storage: BundleFolder::new(folder.path().to_owned(), || 1),
            agent: ProcessAgent::new(["sh", "-c", AGENT].map(OsString::from).to_vec()),
            limit: AtomicU64::new(DEFAULT_LIMIT),
            requests: Requests::default(),
            commands: Commands,
            _folder: folder,
        }
    }
}

impl Host for FixtureHost {
    fn storage(&self) -> Option<&dyn BundleStorage> {
        Some(&self.storage)
    }

    fn agent(&self) -> Option<&dyn HostedAgent> {
        Some(&self.agent)
    }

    fn http(&self) -> Option<&dyn HttpCaller> {
        Some(&self.requests)
    }

    fn wab(&self) -> Option<&dyn WabCaller> {
        Some(&self.commands)
    }

    fn payloads(&self) -> Option<&dyn PayloadLimit> {
        Some(self)
    }
}

impl PayloadLimit for FixtureHost {
    fn inline_limit(&self) -> u64 {
        self.limit.load(Ordering::Relaxed)
    }

    fn default_limit(&self) -> u64 {
        DEFAULT_LIMIT
    }

    fn set_limit(&self, bytes: Option<u64>) {
        self.limit.store(bytes.unwrap_or(DEFAULT_LIMIT), Ordering::Relaxed);
    }
}

impl Opened {
    /// Registers markers as a projection does when it is read.
    pub(crate) fn register(&self, markers: &[Marker]) {
        let registry = &self.stage.memory().markers;
        registry.register(&*self.page, self.page.events(), "fixture", markers.to_vec());
    }

    /// Opens a page. A dialog may open while it loads.
    pub(crate) async fn new(browser: &dyn Browser, url: &str, until: LoadState) -> Self {
        let opening = Deadline::after(&*browser.clock(), OPENING);
        let downloads = DownloadPolicy::Keep { max_bytes: 10_000 };
        let options = ContextOptions { downloads, ..ContextOptions::default() };
        let context = browser.new_context(options, opening).await.expect("a context opens");
        let page = context.new_page(opening).await.expect("a page opens");
        match page.navigate(url, until, opening).await {
            Ok(_) | Err(Error::DialogOpen(_)) => {}
            Err(error) => panic!("{url} does not open: {error}"),
        }
        let own = origin_of(url).into_iter().collect();
        let saved = tempfile::tempdir().expect("a folder can be made");
        let mut permits = Permits::default().upload_from([fixtures().join("form/upload")]).origins(Some(own));
        if !url.ends_with("#no-downloads") {
            permits = permits.download_to(saved.path());
        }
        let tabs = FixtureTabs { context: context.clone(), known: Mutex::default(), active: Mutex::new(1) };
        let tabs = (!url.ends_with("#no-tabs")).then_some(tabs);
        let services = FixtureServices { memory: Memory::default(), tabs };
        if !url.ends_with("#alone") {
            services.memory.host.set(Arc::new(FixtureHost::new()));
        }
        let stage = Stage::new(page.clone(), browser.clock(), permits).with_services(Arc::new(services));
        Self { stage, page, context, _saved: Some(saved) }
    }

    /// Makes the page open a popup, and returns the stage on it.
    pub(crate) async fn popup(&self, path: &str) -> Self {
        let soon = within(&self.stage, 60_000);
        let mut events = self.context.events();
        let opening = format!("void window.open({})", serde_json::json!(path));
        self.page.evaluate(&opening, soon).await.expect("the page opens a popup");
        let page = loop {
            let popup = self.context.pages().into_iter().find(|page| !Arc::ptr_eq(page, &self.page));
            match popup {
                Some(page) => break page,
                None => drop(events.recv().await.expect("the context lives")),
            }
        };
        page.wait_for_load(&page.main_frame(), LoadState::Load, soon).await.expect("the popup loads");
        let stage =
            Stage::new(page.clone(), self.stage.clock(), Permits::default().upload_from([fixtures()]));
        Self { stage, page, context: self.context.clone(), _saved: None }
    }

    pub(crate) async fn close(self, browser: &dyn Browser) {
        let deadline = Deadline::after(&*browser.clock(), OPENING);
        self.context.close(deadline).await.expect("a context can be closed whatever its pages do");
    }

    /// Runs a call, and runs a script in the page once the call waits in the document of a frame. Returns the outcome of
    /// the call.
    pub(crate) async fn meanwhile<T>(&self, script: &str, call: impl Future<Output = T>) -> T {
        let before = self.page.counters();
        let running = async {
            self.until_waited_in_frame(before).await;
            let ran = self.page.evaluate(script, within(&self.stage, 60_000)).await;
            ran.expect("the document around the frame answers");
        };
        let mut call = std::pin::pin!(call);
        tokio::select! {
            answer = &mut call => answer,
            () = running => call.await,
        }
    }

    /// Waits until a call has found a frame element and its frame, which takes two round trips, and then sends nothing for
    /// a while.
    async fn until_waited_in_frame(&self, before: Counters) {
        let (mut asked, mut quiet) = (before, 0);
        while quiet < 20 {
            tokio::time::sleep(Duration::from_millis(50)).await;
            let now = self.page.counters();
            let is_quiet = (now - before).round_trips >= 2 && (now - asked).commands == 0;
            quiet = if is_quiet { quiet + 1 } else { 0 };
            asked = now;
        }
    }

    /// Performs a primitive and checks that the dictionary declares its output or its error code.
    pub(crate) async fn perform(
        &self,
        primitive: &'static Primitive,
        args: Value,
        deadline_ms: u64,
    ) -> Result<Value, Failure> {
        let answer = perform(&self.stage, primitive, args, within(&self.stage, deadline_ms)).await;
        match &answer {
            Ok(output) => {
                let wrong = primitive.output().validate(output);
                assert!(
                    wrong.is_empty(),
                    "{} returned {output}, which does not match its schema: {wrong:?}",
                    primitive.name
                );
            }
            Err(failure) => {
                assert!(primitive.may_give(failure.code), "{} does not declare {failure:?}", primitive.name);
                assert!(!failure.message.trim().is_empty(), "{} has no message: {failure:?}", primitive.name);
            }
        }
        answer
    }
}
