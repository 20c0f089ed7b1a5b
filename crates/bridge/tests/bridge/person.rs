//! A person in front of the page, in a real browser of its own.

use std::sync::Arc;
use std::time::{Duration, Instant};

use actions_engine::browser::chromium::{ChromiumBrowser, LaunchOptions, launch};
use actions_engine::browser::{
    Browser, Context, ContextOptions, Deadline, Input, Key, LoadState, Modifiers, Page, Screenshot,
    SystemClock, Viewport,
};
use serde_json::{Value, json};

use crate::stage::{Stage, TOKEN};

/// Makes a browser prefer dark pages.
pub(crate) const DARK: &[&str] = &["--blink-settings=preferredColorScheme=0"];

/// More presses of Tab than a page of these tests has places.
const PLACES: usize = 60;

fn soon() -> Deadline {
    Deadline::after(&SystemClock, Duration::from_secs(30))
}

/// A person's browser that shows the page.
pub(crate) struct Person {
    browser: ChromiumBrowser,
    _context: Arc<dyn Context>,
    pub(crate) page: Arc<dyn Page>,
}

impl Person {
    pub(crate) async fn at(url: &str, width: u32, more: &[&str]) -> Self {
        let extra_args = more.iter().map(|flag| (*flag).to_owned()).collect();
        let browser = launch(LaunchOptions { extra_args, ..LaunchOptions::default() }).await.unwrap().browser;
        let viewport = Some(Viewport { width, height: 900 });
        let options = ContextOptions { viewport, ..ContextOptions::default() };
        let context = browser.new_context(options, soon()).await.unwrap();
        let page = context.new_page(soon()).await.unwrap();
        page.navigate(url, LoadState::Load, soon()).await.unwrap();
        Self { browser, _context: context, page }
    }

    pub(crate) async fn evaluate(&self, source: &str) -> Value {
        self.page.evaluate(source, soon()).await.unwrap()
    }

    /// Waits until an expression is true.
    pub(crate) async fn until(&self, source: &str) {
        let begun = Instant::now();
        while self.evaluate(&format!("Boolean({source})")).await != true {
            let shown = self.evaluate("document.body.innerText").await;
            assert!(begun.elapsed() < Duration::from_secs(30), "{source}\n{shown:#}");
            tokio::time::sleep(Duration::from_millis(30)).await;
        }
    }

    /// Saves a picture to look at, if `ACTIONS_PICTURES` names a folder.
    pub(crate) async fn keep_picture(&self, name: &str) {
        let Ok(folder) = std::env::var("ACTIONS_PICTURES") else { return };
        let image =
            self.page.screenshot(Screenshot { full_page: true, ..Screenshot::default() }, soon()).await;
        std::fs::write(format!("{folder}/{name}.png"), image.unwrap()).unwrap();
    }

    /// Presses a key and lets go of it.
    pub(crate) async fn press(&self, key: &str) {
        let (code, key_code, text) = match key {
            "Tab" => ("Tab", 9, None),
            "Enter" => ("Enter", 13, Some("\r")),
            " " => ("Space", 32, Some(" ")),
            "ArrowDown" => ("ArrowDown", 40, None),
            _ => panic!("a key of the tests: {key}"),
        };
        let key = Key {
            key: key.to_owned(),
            code: code.to_owned(),
            key_code,
            text: text.map(str::to_owned),
            ..Key::default()
        };
        let modifiers = Modifiers::NONE;
        let events =
            [Input::KeyDown { key: key.clone(), modifiers, repeat: false }, Input::KeyUp { key, modifiers }];
        self.page.input(&events, soon()).await.unwrap();
    }

    /// Types into what has the focus.
    pub(crate) async fn type_text(&self, text: &str) {
        self.page.input(&[Input::InsertText { text: text.to_owned() }], soon()).await.unwrap();
    }

    /// Presses Tab until an element has the focus, which the page must show.
    pub(crate) async fn tab_to(&self, selector: &str) {
        let mut seen = Vec::new();
        for _ in 0..PLACES {
            self.press("Tab").await;
            if self.has_focus(selector).await {
                let outline = self.evaluate("getComputedStyle(document.activeElement).outlineStyle").await;
                assert_eq!(outline, "solid", "{selector} does not show that it has the focus");
                return;
            }
            seen.push(self.evaluate("document.activeElement.outerHTML.slice(0, 60)").await);
        }
        panic!("{selector} cannot be reached by Tab: {seen:#?}");
    }

    /// Whether an element has the focus.
    pub(crate) async fn has_focus(&self, selector: &str) -> bool {
        self.evaluate(&format!("document.activeElement.matches({})", json!(selector))).await == true
    }

    pub(crate) async fn end(self) {
        self.browser.close().await;
    }
}

/// The address of the page, with its token.
pub(crate) fn url(stage: &Stage) -> String {
    format!("http://{}/#token={TOKEN}", stage.address)
}
