//! A browser, a server and a page for the tests on Chromium.

use std::time::Duration;

use actions_dictionary::Dictionary;
use actions_engine::browser::chromium::{ChromiumBrowser, LaunchOptions, launch};
use actions_engine::browser::{Browser, ContextOptions, Deadline};
use actions_engine::{Engine, Rules, Session};
use actions_primitives::perform;
use actions_testserver::TestServer;
use serde_json::{Value, json};

/// A browser and a server with one page, for the time of a test.
pub(crate) struct Stage {
    server: TestServer,
    browser: ChromiumBrowser,
}

impl Stage {
    pub(crate) async fn with(html: &str) -> Self {
        let server = TestServer::start().await.unwrap();
        server.page("/", html);
        let browser = launch(LaunchOptions::default()).await.expect("a browser is installed").browser;
        Self { server, browser }
    }

    /// Adds another page.
    pub(crate) fn page(&self, path: &str, html: &str) {
        self.server.page(path, html);
    }

    /// Opens the page with a map of these tools, confined to its origin.
    pub(crate) async fn confined(&self, tools: &[Value]) -> Session {
        let surface = json!({ "origin": self.server.origin(), "name": "Fixture" });
        self.open(tools, surface, ContextOptions::default()).await
    }

    /// Opens the page with a map of these tools, without confinement.
    pub(crate) async fn free(&self, tools: &[Value]) -> Session {
        self.open(tools, json!({ "name": "Fixture" }), ContextOptions::default()).await
    }

    /// Like `free`, in a context that reports failed requests.
    pub(crate) async fn reporting(&self, tools: &[Value]) -> Session {
        let options = ContextOptions { report_failed_requests: true, ..ContextOptions::default() };
        self.open(tools, json!({ "name": "Fixture" }), options).await
    }

    /// Opens the page with a map of these tools and other sections, without confinement.
    pub(crate) async fn with_map(&self, tools: &[Value], sections: &Value) -> Session {
        let mut map = json!({ "protocol": "actions.json", "version": 1, "surface": { "name": "Fixture" }, "tools": tools });
        map.as_object_mut().unwrap().extend(sections.as_object().unwrap().clone());
        self.open_map(&map, ContextOptions::default()).await
    }

    async fn open(&self, tools: &[Value], surface: Value, options: ContextOptions) -> Session {
        let map = json!({ "protocol": "actions.json", "version": 1, "surface": surface, "tools": tools });
        self.open_map(&map, options).await
    }

    async fn open_map(&self, map: &Value, options: ContextOptions) -> Session {
        let engine = Engine::from_bytes("actions.json", map.to_string().as_bytes()).unwrap();
        let engine = engine.with_policy(Rules::default().allow_handlers(true));
        let deadline = Deadline::after(&*self.browser.clock(), Duration::from_secs(30));
        let context = self.browser.new_context(options, deadline).await.unwrap();
        engine.open_in(&self.browser, context, Some(&self.server.url("/"))).await.unwrap()
    }
}

/// A tool with a workflow.
pub(crate) fn tool(name: &str, steps: &Value) -> Value {
    json!({
        "name": name, "description": "A tool.", "input_schema": { "type": "object", "additionalProperties": false },
        "workflow": { "version": 1, "expression_language": "jsonata", "steps": steps, "output": "{% true %}" },
    })
}

/// A deadline that is far away.
pub(crate) fn deadline(session: &Session) -> Deadline {
    Deadline::after(&*session.stage().clock(), Duration::from_secs(30))
}

/// What a script of the page gives.
pub(crate) async fn script(session: &Session, source: &str) -> Value {
    session.page().evaluate(source, deadline(session)).await.unwrap()
}

/// Performs the primitives of steps one after the other, as a hand-written program would.
pub(crate) async fn by_hand(session: &Session, steps: &Value) {
    for step in steps.as_array().unwrap() {
        let primitive = Dictionary::builtin().get(step["primitive"].as_str().unwrap()).unwrap();
        let done = perform(&session.stage(), primitive, step["args"].clone(), deadline(session)).await;
        done.unwrap_or_else(|failure| panic!("{step}: {failure:?}"));
    }
}

/// How many round trips something takes.
pub(crate) async fn round_trips<T>(session: &Session, work: impl Future<Output = T>) -> (T, u64) {
    let before = session.page().counters();
    let result = work.await;
    (result, (session.page().counters() - before).round_trips)
}
