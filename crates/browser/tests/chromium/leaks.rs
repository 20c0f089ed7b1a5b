//! Requests that race with the end of their page: what is refused must not leave when its context closes.
//!
//! The tests make few rounds by default; `ACTIONS_LEAK_ROUNDS` sets the number.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use actions_browser::chromium::{AttachOptions, ChromiumBrowser, attach, launch};
use actions_browser::{Browser, Confinement, ContextOptions, LoadState};
use actions_testserver::TestServer;

use crate::attach::Foreign;
use crate::stage::{Kind, soon};

const LEAKS: &str = include_str!("pages/leaks.html");

/// The number of contexts that are open at the same time, so that the browser is busy.
const AT_ONCE: usize = 4;

/// The ways that leaked most often before documents were paused on the browser's own session.
const FOUR: [&str; 4] = ["form-blank", "location", "popup", "blank"];

fn rounds() -> u64 {
    std::env::var("ACTIONS_LEAK_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(2)
}

/// A site that tries to leave, and the server that it must not reach.
struct Ground {
    site: TestServer,
    sink: TestServer,
}

impl Ground {
    async fn new() -> Arc<Self> {
        let (site, sink) = (TestServer::start().await.unwrap(), TestServer::start().await.unwrap());
        site.page("/", LEAKS.replace("EVIL", &sink.url_on("sink.localhost", "")));
        Arc::new(Self { site, sink })
    }

    /// Opens a context, lets its page leave in one way, and closes the context after a moment.
    async fn attempt(&self, browser: &ChromiumBrowser, way: &str, moment: Duration) {
        let confinement = Some(Confinement::to([self.site.origin()]));
        let options = ContextOptions { confinement, ..ContextOptions::default() };
        let context = browser.new_context(options, soon()).await.unwrap();
        let page = context.new_page(soon()).await.unwrap();
        page.navigate(&self.site.url("/"), LoadState::Load, soon()).await.unwrap();
        // The page may go away while it answers.
        let _ = page.evaluate(&format!("void leaks['{way}']()"), soon()).await;
        tokio::time::sleep(moment).await;
        context.close(soon()).await.unwrap();
    }

    /// The requests that have reached the sink, by path.
    fn leaked(&self) -> BTreeMap<String, usize> {
        let mut leaked = BTreeMap::new();
        for served in self.sink.served() {
            *leaked.entry(served.request.path).or_default() += 1;
        }
        leaked
    }
}

/// The ways to leave that the page offers.
fn ways() -> Vec<&'static str> {
    let names = LEAKS.lines().filter_map(|line| line.strip_prefix("  ")?.split_once(": () =>"));
    names.map(|(name, _)| name.trim_matches('\'')).collect()
}

/// Tries every way in every round, and returns the number of tries.
async fn nothing_leaves(browser: ChromiumBrowser, ways: &[&'static str]) -> u64 {
    let (browser, ground) = (Arc::new(browser), Ground::new().await);
    let mut tasks = tokio::task::JoinSet::new();
    for round in 0..rounds() {
        for (number, &way) in ways.iter().enumerate() {
            while tasks.len() >= AT_ONCE {
                tasks.join_next().await.unwrap().unwrap();
            }
            // The moments differ and are the same in every run.
            let moment = Duration::from_micros((round * 1_709 + number as u64 * 977) % 9_000);
            let (browser, ground) = (browser.clone(), ground.clone());
            tasks.spawn(async move { ground.attempt(&browser, way, moment).await });
        }
    }
    while let Some(done) = tasks.join_next().await {
        done.unwrap();
    }
    browser.close().await;
    assert_eq!(ground.leaked(), BTreeMap::new(), "in {} rounds", rounds());
    rounds() * ways.len() as u64
}

async fn nothing_leaves_a_launched_browser(kind: Kind) -> u64 {
    let ways = ways();
    assert_eq!(ways.len(), 12);
    let browser = launch(kind.options()).await.unwrap().browser;
    nothing_leaves(browser, &ways).await
}

async fn nothing_leaves_a_running_browser(kind: Kind, ways: &[&'static str]) -> u64 {
    let foreign = Foreign::start(kind);
    let (port, path) = foreign.endpoint().await;
    let endpoint = format!("ws://127.0.0.1:{port}{path}");
    let browser = attach(&endpoint, AttachOptions::default()).await.unwrap();
    nothing_leaves(browser, ways).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn closing_a_context_of_a_headless_shell_sends_nothing_that_was_refused() {
    let tries = nothing_leaves_a_launched_browser(Kind::HeadlessShell).await;
    println!("hold: ends of pages, headless shell launched: {tries}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn closing_a_context_of_chromium_sends_nothing_that_was_refused() {
    let tries = nothing_leaves_a_launched_browser(Kind::Chromium).await;
    println!("hold: ends of pages, Chromium launched: {tries}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn closing_a_context_of_a_running_headless_shell_sends_nothing_that_was_refused() {
    let tries = nothing_leaves_a_running_browser(Kind::HeadlessShell, &ways()).await;
    println!("hold: ends of pages, headless shell attached: {tries}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn closing_a_context_of_a_running_chromium_sends_nothing_that_was_refused() {
    let tries = nothing_leaves_a_running_browser(Kind::Chromium, &ways()).await;
    println!("hold: ends of pages, Chromium attached: {tries}");
}

/// The ways that leaked most often, for many rounds.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn four_ways_out_of_a_running_browser_send_nothing_that_was_refused() {
    let tries = nothing_leaves_a_running_browser(Kind::Chromium, &FOUR).await;
    println!("hold: ends of pages, four ways: {tries}");
}
