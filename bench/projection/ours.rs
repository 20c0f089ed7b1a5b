//! The projection benchmark with the engine: the state of a page with 10,000 records, and a summary of it. It also serves
//! the page to the other program. See ../README.md.
//!
//!     bench_projection PAGES MAP
#![allow(clippy::print_stdout, reason = "it answers on standard output")]

use std::error::Error;
use std::io::BufRead;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use actions_engine::browser::chromium::{LaunchOptions, find, launch};
use actions_engine::browser::{Browser, ContextOptions, Deadline};
use actions_engine::{Engine, Session, SiteAnswer, SiteRequest};
use actions_testserver::TestServer;
use serde_json::{Value, json};

type Answer<T> = Result<T, Box<dyn Error>>;

#[tokio::main]
async fn main() -> Answer<()> {
    let argument = |number| std::env::args().nth(number).map(PathBuf::from).ok_or("an argument is missing");
    let server = TestServer::serving(argument(1)?).await?;
    let engine = Engine::load(argument(2)?)?;
    let executable = find(None, false)?.path;
    let options = LaunchOptions { executable: Some(executable.clone()), ..LaunchOptions::default() };
    let browser = launch(options).await?.browser;
    let deadline = Deadline::after(&*browser.clock(), Duration::from_secs(60));
    let context = browser.new_context(ContextOptions::default(), deadline).await?;
    let session = engine.open_in(&browser, context, Some(&server.url("/table.html"))).await?;
    println!("{}", json!({ "ready": { "origin": server.origin(), "executable": executable } }));
    for task in std::io::stdin().lock().lines() {
        println!("{}", round(&session, &task?).await?);
    }
    session.close().await;
    browser.close().await;
    Ok(())
}

async fn round(session: &Session, task: &str) -> Answer<Value> {
    let request = json!({ "mode": task, "projection": "records", "max_bytes": 1_000_000 });
    let request = SiteRequest::from_arguments(request)?;
    let (before, start) = (session.page().counters(), Instant::now());
    let answer = session.site(request).run().await.result?;
    let ms = start.elapsed().as_secs_f64() * 1000.0;
    let cost = session.page().counters() - before;
    let bytes = match &answer {
        SiteAnswer::State(reading) => {
            same(&reading.state["records"][9_999]["price"], 0.5, reading.diagnostics.bytes)?
        }
        SiteAnswer::Summary(reading) => same(&reading.summary["count"], 10_000.0, reading.summary_bytes)?,
        other => return Err(format!("{other:?}").into()),
    };
    Ok(json!({ "ms": ms, "bytes": bytes, "round_trips": cost.round_trips }))
}

/// Fails a benchmark with a wrong result: its time would mean nothing.
fn same(seen: &Value, expected: f64, bytes: usize) -> Answer<usize> {
    match seen.as_f64() == Some(expected) {
        true => Ok(bytes),
        false => Err(format!("expected {expected}, saw {seen}").into()),
    }
}
