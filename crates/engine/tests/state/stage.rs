//! A browser, a server and sessions for the tests of states.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use actions_engine::browser::chromium::{ChromiumBrowser, LaunchOptions, launch};
use actions_engine::browser::fake::FakePage;
use actions_engine::browser::{Browser, ContextOptions, Deadline, Page, TestClock};
use actions_engine::{
    CallError, Engine, Limits, Session, SiteAnswer, SiteRequest, StateDiff, StateReading, SummaryReading,
};
use actions_protocol::Millis;
use actions_testserver::TestServer;
use serde_json::{Value, json};

/// A browser and a server for the time of a test.
pub(crate) struct Stage {
    pub(crate) server: TestServer,
    browser: ChromiumBrowser,
}

impl Stage {
    pub(crate) async fn new() -> Self {
        Self::with(TestServer::start().await.expect("a server")).await
    }

    /// Serves one of the fixture sites.
    pub(crate) async fn site(host: &str) -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/sites").join(host);
        Self::with(TestServer::serving(folder).await.expect("a server")).await
    }

    async fn with(server: TestServer) -> Self {
        let browser = launch(LaunchOptions::default()).await.expect("a browser").browser;
        Self { server, browser }
    }

    /// Opens a page of the server with a map.
    pub(crate) async fn open(&self, map: &Value, path: &str) -> Session {
        let engine = Engine::from_bytes("actions.json", map.to_string().as_bytes());
        let engine = engine.unwrap_or_else(|error| panic!("{error}: {map:#}"));
        self.open_engine(&engine, path).await
    }

    pub(crate) async fn open_engine(&self, engine: &Engine, path: &str) -> Session {
        // No test here is about the time of an expression, which an unoptimised build on a busy machine needs more of.
        let limits = Limits::default().with(|limits| limits.expression_time = Millis(30_000));
        let engine = engine.clone().with_limits(limits);
        let deadline = Deadline::after(&*self.browser.clock(), Duration::from_secs(30));
        let context = self.browser.new_context(ContextOptions::default(), deadline).await.expect("a context");
        engine.open_in(&self.browser, context, Some(&self.server.url(path))).await.expect("a page")
    }

    /// Serves a page and opens it with a map of one projection `it` that takes these extractors.
    pub(crate) async fn show(&self, html: &str, projection: Value) -> Session {
        self.server.page("/", html);
        self.open(&map(&[projection], &[]), "/").await
    }

    /// The map of a fixture site, with the address of the server for the real one.
    pub(crate) fn map_of(&self, host: &str, surface: &str) -> Engine {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sites").join(host).join(surface);
        let map = std::fs::read_to_string(path.join("actions.json")).expect("the map");
        let map = map.replace(&format!("https://{host}"), &self.server.origin());
        Engine::from_bytes("actions.json", map.as_bytes()).expect("a valid map")
    }
}

/// A session on a page without a browser, where no time passes but by the clock. The records its readings find are
/// asked for anew each time, and the page changes whenever a change is waited for.
pub(crate) fn imagined(
    map: &Value,
    clock: &TestClock,
    mut records: impl FnMut() -> Value + Send + 'static,
) -> Session {
    let page = FakePage::new(Arc::new(clock.clone()));
    page.goes_to("https://fixture.example/", false);
    page.on_call("dom.extract", move |_| {
        json!({ "ok": { "records": records(), "selector_counts": {}, "missing_required_fields": [],
            "url": "https://fixture.example/", "title": "", "elsewhere": [] } })
    });
    page.on_call("page.change", |_| json!({ "ok": {} }));
    let engine = Engine::from_bytes("actions.json", map.to_string().as_bytes());
    engine.expect("a valid map").on_page(page, Arc::new(clock.clone()))
}

/// A map with projections and tools.
pub(crate) fn map(projections: &[Value], tools: &[Value]) -> Value {
    json!({ "protocol": "actions.json", "version": 1, "tools": tools, "state_projections": projections })
}

/// A projection that shows its records as they are.
pub(crate) fn plain(extract: Value) -> Value {
    projection(extract, "records")
}

/// A projection called `it`.
pub(crate) fn projection(extract: Value, expression: &str) -> Value {
    json!({ "name": "it", "snapshot": {
        "version": 1, "source": "dom", "extract": extract,
        "projection": { "language": "jsonata", "expression": expression },
    }})
}

/// What a session answers to a request in JSON.
pub(crate) async fn site(session: &Session, request: Value) -> Result<SiteAnswer, CallError> {
    session.site(SiteRequest::from_arguments(request)?).run().await.result
}

pub(crate) async fn read(session: &Session) -> Result<StateReading, CallError> {
    match site(session, json!({ "mode": "state_read", "projection": "it" })).await? {
        SiteAnswer::State(reading) => Ok(reading),
        other => panic!("{other:?}"),
    }
}

pub(crate) async fn state(session: &Session) -> Value {
    read(session).await.unwrap_or_else(|error| panic!("{} {error}: {:?}", error.code, error.evidence)).state
}

pub(crate) async fn summary(session: &Session, request: Value) -> Result<SummaryReading, CallError> {
    let mut whole = json!({ "mode": "state_summary", "projection": "it" });
    whole.as_object_mut().expect("an object").extend(request.as_object().cloned().unwrap_or_default());
    match site(session, whole).await? {
        SiteAnswer::Summary(reading) => Ok(reading),
        other => panic!("{other:?}"),
    }
}

pub(crate) async fn diff(session: &Session, projection: &str) -> StateDiff {
    match site(session, json!({ "mode": "state_diff", "projection": projection })).await {
        Ok(SiteAnswer::Diff(diff)) => diff,
        other => panic!("{other:?}"),
    }
}

/// Runs a script in the page, as the page's own scripts would.
pub(crate) async fn script(session: &Session, source: &str) -> Value {
    let page: Arc<dyn Page> = session.page();
    let deadline = Deadline::after(&*session.stage().clock(), Duration::from_secs(30));
    page.evaluate(source, deadline).await.expect("the script runs")
}

/// How many round trips something takes.
pub(crate) fn round_trips<T>(
    session: &Session,
    work: impl Future<Output = T>,
) -> impl Future<Output = (T, u64)> {
    let work = Box::pin(work);
    async move {
        let before = session.page().counters();
        let result = work.await;
        (result, session.page().counters().round_trips - before.round_trips)
    }
}
