//! Runs the cases in Chromium.

use std::sync::Arc;
use std::time::Duration;

use actions_engine::browser::chromium::{LaunchOptions, launch};
use actions_engine::browser::{Browser, Call, ContextOptions, Deadline, LoadState};
use actions_testserver::TestServer;
use serde_json::{Value, json};

use crate::case::{Case, cases};
use crate::recorder::Recorder;
use crate::stream::{compare, stream};

/// The page of the cases that have none of their own.
const ORDINARY_PAGE: &str = include_str!("../../../../fixtures/workflows/page.html");

/// Performs the cases of a structure in one Chromium, each in a context of its own.
pub(crate) fn perform(structure: &str) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let cases = cases(structure);
    let streams = runtime.block_on(async {
        let browser = launch(LaunchOptions::default()).await.expect("a browser is installed").browser;
        let mut streams = Vec::new();
        for case in &cases {
            streams.push(one(case, &browser).await);
        }
        browser.close().await;
        streams
    });
    cases.iter().zip(streams).for_each(|(case, stream)| compare(case, &stream));
}

async fn one(case: &Case, browser: &dyn Browser) -> String {
    let server = TestServer::serving(&case.folder).await.expect("a server");
    if !case.folder.join("page.html").exists() {
        server.page("/page.html", ORDINARY_PAGE);
    }
    let deadline = Deadline::after(&*browser.clock(), Duration::from_secs(30));
    let context = browser.new_context(ContextOptions::default(), deadline).await.expect("a context");
    let page = context.new_page(deadline).await.expect("a page");
    page.navigate(&server.url(&case.path), LoadState::Load, deadline).await.expect("the page of the case");
    // The page script is there before time counts.
    let main = page.main_frame();
    let _: Value =
        page.call(Call::new(&main, "page.info", &json!({})), deadline).await.expect("the page answers");
    let recorder = Arc::new(Recorder::new(page));
    let session = case.engine(&server.origin()).on_page(recorder.clone(), browser.clock());
    let stream = stream(case, &session, &server.origin()).await;
    if std::env::var_os("ACTIONS_RECORD").is_some() {
        recorder.write(&case.folder.join("driver.ndjson"), &server.origin());
    }
    context.close(deadline).await.expect("the context closes");
    stream
}
