//! The workflow benchmark: twelve steps run by the engine, and the same primitives called directly. See ../README.md.
//!
//!     bench_workflow FOLDER
#![allow(clippy::print_stdout, reason = "it answers on standard output")]

use std::error::Error;
use std::io::BufRead;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use actions_dictionary::Dictionary;
use actions_engine::browser::chromium::{LaunchOptions, launch};
use actions_engine::browser::{Browser, ContextOptions, Deadline};
use actions_engine::{Engine, Session};
use actions_primitives::perform;
use actions_testserver::TestServer;
use serde_json::{Value, json};

type Answer<T> = Result<T, Box<dyn Error>>;

const WORD: &str = "twenty characters ok";

#[tokio::main]
async fn main() -> Answer<()> {
    let folder = std::env::args().nth(1).map(PathBuf::from).ok_or("the folder is missing")?;
    let map = std::fs::read_to_string(folder.join("actions.json"))?;
    let server = TestServer::serving(folder).await?;
    let engine = Engine::from_bytes(
        "actions.json",
        map.replace("https://bench.example", &server.origin()).as_bytes(),
    )?;
    let browser = launch(LaunchOptions::default()).await?.browser;
    let deadline = Deadline::after(&*browser.clock(), Duration::from_secs(60));
    let context = browser.new_context(ContextOptions::default(), deadline).await?;
    let session = engine.open_in(&browser, context, Some(&server.url("/page.html"))).await?;
    println!("{}", json!({ "ready": {} }));
    for task in std::io::stdin().lock().lines() {
        let (before, start) = (session.page().counters(), Instant::now());
        let value = match task?.as_str() {
            "engine" => session.call("list.work").arguments(json!({ "word": WORD })).run().await.result?,
            _ => by_hand(&session, &browser).await?,
        };
        let ms = start.elapsed().as_secs_f64() * 1000.0;
        let cost = session.page().counters() - before;
        let expected = json!({ "echo": WORD, "rows": ["one", "two", "three", "four", "five"] });
        if value != expected {
            return Err(format!("the answer is {value}").into());
        }
        println!("{}", json!({ "ms": ms, "round_trips": cost.round_trips, "commands": cost.commands }));
    }
    session.close().await;
    browser.close().await;
    Ok(())
}

/// Calls the same twelve primitives directly, as a program without the engine would.
async fn by_hand(session: &Session, browser: &dyn Browser) -> Answer<Value> {
    let deadline = Deadline::after(&*browser.clock(), Duration::from_secs(60));
    let perform = async |name: &str, args: Value| -> Answer<Value> {
        let primitive = Dictionary::builtin().get(name).ok_or("there is no such primitive")?;
        Ok(perform(&session.stage(), primitive, args, deadline).await?)
    };
    let at = |selector: &str| json!({ "locator": { "selector": selector } });
    perform("locator.text_content", at("h1")).await?;
    let found = perform("locator.element_info", at("#count")).await?;
    let centre = &found["clickable_center"];
    perform("pointer.click", json!({ "x": centre["x"], "y": centre["y"] })).await?;
    perform("locator.wait_for", at("#counted")).await?;
    perform("locator.text_content", at("#counted")).await?;
    let insert = json!({ "target": { "selector": "#word" }, "text": WORD, "mode": "replace" });
    perform("text.insert", insert).await?;
    perform("locator.value", at("#word")).await?;
    perform("pointer.click", at("#show")).await?;
    perform("locator.wait_for", at("#shown")).await?;
    let echo = perform("locator.text_content", at("#shown")).await?;
    let mut rows = Vec::new();
    for row in 0..5 {
        let args = json!({ "locator": { "selector": "li", "nth": row } });
        rows.push(perform("locator.text_content", args).await?["text"].take());
    }
    perform("page.info", json!({})).await?;
    Ok(json!({ "echo": echo["text"], "rows": rows }))
}
