//! The browser benchmark with our primitives. It also serves the pages to the other programs. See ../README.md.
//!
//!     bench_browser PAGES
#![allow(clippy::print_stdout, reason = "it answers on standard output")]

use std::error::Error;
use std::io::BufRead;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use actions_browser::chromium::{ChromiumBrowser, LaunchOptions, find, launch};
use actions_browser::{Browser, Context, ContextOptions, Counters, Deadline, LoadState, Page};
use actions_dictionary::Dictionary;
use actions_primitives::{Permits, Stage, perform};
use actions_testserver::TestServer;
use serde_json::{Value, json};

type Answer<T> = Result<T, Box<dyn Error>>;

const TEXT: &str = "twenty characters ok";

#[tokio::main(flavor = "current_thread")]
async fn main() -> Answer<()> {
    let pages = std::env::args().nth(1).map(PathBuf::from).ok_or("the folder of pages is missing")?;
    // The server is not part of the measurement.
    let serving = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let server = serving.spawn(TestServer::serving(pages)).await??;
    let executable = find(None, false)?.path;
    let mut bench = Bench::new(executable.clone(), server.origin()).await?;
    println!("{}", json!({ "ready": { "origin": server.origin(), "executable": executable } }));
    for task in std::io::stdin().lock().lines() {
        println!("{}", bench.round(&task?).await?);
    }
    bench.browser.close().await;
    serving.shutdown_background();
    Ok(())
}

struct Bench {
    executable: PathBuf,
    origin: String,
    browser: ChromiumBrowser,
    /// Kept alive because its pages close with it.
    _context: Arc<dyn Context>,
    stage: Stage,
    /// The name of the open page.
    shown: &'static str,
    clicks: u32,
}

impl Bench {
    async fn new(executable: PathBuf, origin: String) -> Answer<Self> {
        let (browser, context, page) = started(executable.clone()).await?;
        let stage = Stage::new(page, browser.clock(), Permits::default());
        Ok(Self { executable, origin, browser, _context: context, stage, shown: "", clicks: 0 })
    }

    async fn round(&mut self, task: &str) -> Answer<Value> {
        self.open(match task {
            "launch" => self.shown,
            "element_info" => "elements.html",
            "click" => "click.html",
            "type" => "type.html",
            "wait_for" => "wait.html",
            "extract" => "table.html",
            other => return Err(format!("there is no task `{other}`").into()),
        })
        .await?;
        let (before, start) = (self.stage.page().counters(), Instant::now());
        let other = match task {
            "launch" => Some(self.launch().await?),
            "element_info" => self.element_info().await?,
            "click" => self.click().await?,
            "type" => self.write().await?,
            "wait_for" => self.wait_for().await?,
            _ => self.extract().await?,
        };
        let ms = start.elapsed().as_secs_f64() * 1000.0;
        let mut cost = self.stage.page().counters() - before;
        if let Some((browser, counters)) = other {
            browser.close().await;
            cost = counters;
        }
        if task == "type" {
            self.perform(
                "text.insert",
                json!({ "text": "", "mode": "replace", "target": { "selector": "#field" } }),
            )
            .await?;
        }
        Ok(json!({ "ms": ms, "round_trips": cost.round_trips, "commands": cost.commands }))
    }

    async fn open(&mut self, page: &'static str) -> Answer<()> {
        if page != self.shown {
            let url = format!("{}/{page}", self.origin);
            self.stage.page().navigate(&url, LoadState::Load, soon(&self.browser)).await?;
            (self.shown, self.clicks) = (page, 0);
        }
        Ok(())
    }

    async fn perform(&self, primitive: &str, args: Value) -> Answer<Value> {
        perform_on(&self.stage, &self.browser, primitive, args).await
    }

    async fn launch(&self) -> Answer<(ChromiumBrowser, Counters)> {
        let (browser, _context, page) = started(self.executable.clone()).await?;
        page.navigate(&format!("{}/click.html", self.origin), LoadState::Load, soon(&browser)).await?;
        let stage = Stage::new(Arc::clone(&page), browser.clock(), Permits::default());
        let read = json!({ "locator": { "selector": "#count" } });
        let seen = perform_on(&stage, &browser, "locator.text_content", read).await?;
        same(&seen["text"], "0")?;
        Ok((browser, page.counters()))
    }

    async fn element_info(&self) -> Answer<Option<(ChromiumBrowser, Counters)>> {
        let locator = json!({ "selector": "button.item[data-number=\"1250\"]" });
        let seen = self.perform("locator.element_info", json!({ "locator": locator })).await?;
        same(&seen["name"], "Item number 1250").map(|()| None)
    }

    async fn click(&mut self) -> Answer<Option<(ChromiumBrowser, Counters)>> {
        self.clicks += 1;
        self.perform("pointer.click", json!({ "locator": { "selector": "#add" } })).await?;
        let seen =
            self.perform("locator.text_content", json!({ "locator": { "selector": "#count" } })).await?;
        same(&seen["text"], &self.clicks.to_string()).map(|()| None)
    }

    async fn write(&self) -> Answer<Option<(ChromiumBrowser, Counters)>> {
        self.perform("text.type", json!({ "text": TEXT, "target": { "selector": "#field" } })).await?;
        let seen = self.perform("locator.value", json!({ "locator": { "selector": "#field" } })).await?;
        same(&seen["value"], TEXT).map(|()| None)
    }

    async fn wait_for(&self) -> Answer<Option<(ChromiumBrowser, Counters)>> {
        self.perform("debug.run_javascript", json!({ "source": "begin()" })).await?;
        self.perform("locator.wait_for", json!({ "locator": { "selector": "#late" }, "state": "visible" }))
            .await?;
        Ok(None)
    }

    async fn extract(&self) -> Answer<Option<(ChromiumBrowser, Counters)>> {
        let fields = json!({
            "id": { "attribute": "data-id" },
            "name": { "selector": ".name", "trim": true },
            "price": { "selector": ".price", "trim": true },
        });
        let extract = json!([{ "id": "records", "selector": "tr.record", "fields": fields }]);
        let args = json!({ "extract": extract, "max_records": 100_000, "max_payload_bytes": 16_000_000 });
        let seen = self.perform("dom.extract", args).await?;
        same(&seen["records"]["records"][9_999]["name"], "Record number 10000").map(|()| None)
    }
}

async fn started(executable: PathBuf) -> Answer<(ChromiumBrowser, Arc<dyn Context>, Arc<dyn Page>)> {
    let browser =
        launch(LaunchOptions { executable: Some(executable), ..LaunchOptions::default() }).await?.browser;
    let context = browser.new_context(ContextOptions::default(), soon(&browser)).await?;
    let page = context.new_page(soon(&browser)).await?;
    Ok((browser, context, page))
}

async fn perform_on(stage: &Stage, browser: &dyn Browser, primitive: &str, args: Value) -> Answer<Value> {
    let primitive = Dictionary::builtin().get(primitive).ok_or("there is no such primitive")?;
    let performed = perform(stage, primitive, args, soon(browser)).await;
    performed.map_err(|failure| format!("{}: {failure}", failure.code).into())
}

fn soon(browser: &dyn Browser) -> Deadline {
    Deadline::after(&*browser.clock(), Duration::from_secs(30))
}

/// Fails a benchmark with a wrong result: its time would mean nothing.
fn same(seen: &Value, expected: &str) -> Answer<()> {
    match seen.as_str() == Some(expected) {
        true => Ok(()),
        false => Err(format!("expected {expected}, saw {seen}").into()),
    }
}
