//! The test harness: a browser with one page and a test server, set up for each test.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use actions_browser::chromium::{self, ChromiumBrowser, LaunchOptions};
use actions_browser::{
    Call, Context, ContextOptions, Deadline, Error, FrameId, Input, LoadState, Modifiers, MouseButton,
    Navigated, Page, PageEvent, Point, SystemClock,
};
use actions_testserver::TestServer;
use serde_json::{Value, json};
use tokio::sync::broadcast;

/// The two Chromium builds that the tests run on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    HeadlessShell,
    Chromium,
}

impl Kind {
    pub(crate) fn options(self) -> LaunchOptions {
        let shell = chromium::launch::find(None, false).expect("a headless shell is installed");
        let whole = chromium::launch::find(None, true).expect("full Chromium is installed");
        match self {
            Kind::HeadlessShell => LaunchOptions {
                executable: Some(shell.path),
                // The shell isolates sites only with this flag; full Chromium always does.
                extra_args: vec!["--site-per-process".to_owned()],
                ..LaunchOptions::default()
            },
            Kind::Chromium => LaunchOptions { executable: Some(whole.path), ..LaunchOptions::default() },
        }
    }
}

/// Defines each test twice: once per Chromium build.
macro_rules! on_every_browser {
    ($(async fn $name:ident($stage:ident) $body:block)+) => {
        mod headless_shell {
            $(#[tokio::test] async fn $name() {
                crate::stage::perform(crate::stage::Kind::HeadlessShell, async |stage| super::$name(stage).await).await;
            })+
        }
        mod chromium {
            $(#[tokio::test] async fn $name() {
                crate::stage::perform(crate::stage::Kind::Chromium, async |stage| super::$name(stage).await).await;
            })+
        }
        $(async fn $name($stage: &crate::stage::Stage) $body)+
    };
}
pub(crate) use on_every_browser;

/// Runs a test with its own browser, page and server, and fails it if it hangs.
pub(crate) async fn perform(kind: Kind, test: impl AsyncFnOnce(&Stage)) {
    in_time(async {
        let stage = Stage::on(kind).await;
        test(&stage).await;
        stage.close().await;
    })
    .await;
}

/// Fails a test that hangs.
pub(crate) async fn in_time<T>(test: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(180), test).await.expect("the test ends by itself")
}

/// A generous deadline for things that should happen; no test waits for it to pass.
pub(crate) fn soon() -> Deadline {
    Deadline::after(&SystemClock, Duration::from_secs(60))
}

/// A short deadline for calls that are expected to time out.
pub(crate) fn briefly() -> Deadline {
    Deadline::after(&SystemClock, Duration::from_millis(300))
}

pub(crate) struct Stage {
    pub(crate) server: TestServer,
    pub(crate) browser: ChromiumBrowser,
    pub(crate) context: Arc<dyn Context>,
    pub(crate) page: Arc<dyn Page>,
}

impl Stage {
    pub(crate) async fn on(kind: Kind) -> Self {
        Self::with(kind.options(), ContextOptions::default()).await
    }

    pub(crate) async fn with(options: LaunchOptions, context: ContextOptions) -> Self {
        use actions_browser::Browser;
        let server = TestServer::start().await.unwrap();
        let browser = chromium::launch(options).await.unwrap().browser;
        let context = browser.new_context(context, soon()).await.unwrap();
        let page = context.new_page(soon()).await.unwrap();
        Self { server, browser, context, page }
    }

    /// Closes the browser.
    pub(crate) async fn close(self) {
        use actions_browser::Browser;
        self.browser.close().await;
    }

    pub(crate) async fn goto(&self, path: &str) -> Navigated {
        self.goto_url(&self.server.url(path)).await
    }

    pub(crate) async fn goto_url(&self, url: &str) -> Navigated {
        self.page.navigate(url, LoadState::Load, soon()).await.unwrap()
    }

    /// Serves a page at `/` and navigates to it.
    pub(crate) async fn show(&self, html: &str) {
        self.server.page("/", html);
        self.goto("/").await;
    }

    pub(crate) async fn evaluate(&self, source: &str) -> Value {
        self.page.evaluate(source, soon()).await.unwrap()
    }

    pub(crate) async fn text(&self, selector: &str) -> String {
        self.text_in(&self.page.main_frame(), selector).await
    }

    pub(crate) async fn text_in(&self, frame: &FrameId, selector: &str) -> String {
        let args = json!({ "locator": { "selector": selector } });
        let call = Call::new(frame, "locator.text_content", &args).repeatable();
        let answer: Value = self.page.call(call, soon()).await.unwrap();
        answer["text"].as_str().unwrap().to_owned()
    }

    /// Returns the frame inside an element, after its document has loaded.
    pub(crate) async fn frame(&self, within: &FrameId, selector: &str) -> FrameId {
        let locator = json!({ "selector": selector });
        let element = self.page.pick(within, &locator, &[], soon()).await.unwrap().expect("a frame element");
        let frame = self.page.content_frame(&element, soon()).await.unwrap().expect("a frame");
        self.page.wait_for_load(&frame, LoadState::Load, soon()).await.unwrap();
        frame
    }

    /// Returns the centre of an element in the viewport of its own frame.
    pub(crate) async fn middle(&self, frame: &FrameId, selector: &str) -> Point {
        let args = json!({ "locator": { "selector": selector } });
        let call = Call::new(frame, "locator.element_info", &args);
        let info: Value = self.page.call(call, soon()).await.unwrap();
        let rect = &info["bounding_box"];
        let number = |name: &str| rect[name].as_f64().unwrap();
        Point::new(number("x") + number("width") / 2.0, number("y") + number("height") / 2.0)
    }

    pub(crate) async fn click(&self, frame: &FrameId, selector: &str) -> Result<(), Error> {
        let middle = self.middle(frame, selector).await;
        let points = self.page.to_viewport(frame, &[middle], soon()).await?;
        self.page.input(&click_at(points[0]), soon()).await
    }

    pub(crate) async fn click_main(&self, selector: &str) -> Result<(), Error> {
        self.click(&self.page.main_frame(), selector).await
    }
}

pub(crate) fn click_at(at: Point) -> [Input; 3] {
    let (button, modifiers) = (MouseButton::Left, Modifiers::NONE);
    [
        Input::MouseMove { to: at, modifiers },
        Input::MouseDown { at, button, click_count: 1, modifiers },
        Input::MouseUp { at, button, click_count: 1, modifiers },
    ]
}

/// Waits for an event for which `wanted` returns a value.
pub(crate) async fn heard<T>(
    events: &mut broadcast::Receiver<PageEvent>,
    mut wanted: impl FnMut(PageEvent) -> Option<T>,
) -> T {
    let hearing = async {
        loop {
            if let Some(found) = wanted(events.recv().await.expect("the event channel is open")) {
                return found;
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(60), hearing).await.expect("the event arrives in time")
}

/// Returns whether a running process has the path in its command line.
pub(crate) fn runs_in(folder: &Path) -> bool {
    let named = folder.display().to_string();
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let mut lines = processes.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
    lines.any(|line| String::from_utf8_lossy(&line).contains(&named))
}
