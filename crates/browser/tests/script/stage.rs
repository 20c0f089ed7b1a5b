//! The test harness: a browser with one page, and a server for `fixtures/script`.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use actions_browser::chromium::{self, ChromiumBrowser, ChromiumContext, ChromiumPage, LaunchOptions};
use actions_browser::{Browser, Call, ContextOptions, Deadline, Handle, LoadState, Page, SystemClock};
use actions_testserver::TestServer;
use serde_json::Value;

/// Returns the folder of the fixtures.
pub(crate) fn fixtures() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/script"))
}

/// A generous deadline; no test waits for it to pass.
pub(crate) fn soon() -> Deadline {
    Deadline::after(&SystemClock, Duration::from_secs(240))
}

pub(crate) struct Stage {
    pub(crate) server: TestServer,
    pub(crate) chromium: Arc<ChromiumPage>,
    pub(crate) page: Arc<dyn Page>,
    browser: ChromiumBrowser,
    _context: ChromiumContext,
}

/// Runs a test with its own browser, page and server, and fails it if it hangs.
pub(crate) async fn perform(test: impl AsyncFnOnce(&Stage)) {
    let performance = async {
        let server = TestServer::serving(fixtures()).await.unwrap();
        let browser = chromium::launch(LaunchOptions::default()).await.unwrap().browser;
        let context = browser.new_chromium_context(ContextOptions::default(), soon()).await.unwrap();
        let chromium = context.new_chromium_page(soon()).await.unwrap();
        let page: Arc<dyn Page> = chromium.clone();
        let stage = Stage { server, chromium, page, browser, _context: context };
        test(&stage).await;
        stage.browser.close().await;
    };
    tokio::time::timeout(Duration::from_secs(300), performance).await.expect("the test ends by itself");
}

impl Stage {
    /// Navigates to the page of a fixture.
    pub(crate) async fn open(&self, fixture: &str) {
        let url = self.server.url(&format!("/{fixture}/index.html"));
        self.page.navigate(&url, LoadState::Load, soon()).await.unwrap();
    }

    /// Serves a page at `/` and navigates to it.
    pub(crate) async fn show(&self, html: &str) {
        self.server.page("/", html);
        self.page.navigate(&self.server.url("/"), LoadState::Load, soon()).await.unwrap();
    }

    /// Calls a function of the page script and returns its whole answer, `ok` or `error`.
    pub(crate) async fn call(&self, function: &str, args: &Value) -> Value {
        self.call_with(function, args, &[]).await
    }

    pub(crate) async fn call_with(&self, function: &str, args: &Value, nodes: &[Handle]) -> Value {
        let main = self.page.main_frame();
        let call = Call::new(&main, function, args).with_nodes(nodes);
        let text = self.page.call_text(call, soon()).await.unwrap();
        serde_json::from_str(&text).unwrap()
    }

    /// Evaluates JavaScript in the page's own world.
    pub(crate) async fn evaluate(&self, source: &str) -> Value {
        self.page.evaluate(source, soon()).await.unwrap()
    }
}
