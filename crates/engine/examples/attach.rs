//! Using a Chromium that runs already: `cargo run -p actions-engine --example attach ws://127.0.0.1:9222/…`
//!
//! Start one with `chromium --headless --remote-debugging-port=9222`; its address is on its standard error, and
//! `http://127.0.0.1:9222` will do as well. Closing lets it go and leaves it running.
#![allow(clippy::print_stdout, reason = "an example talks to the person who runs it")]

use std::error::Error;
use std::path::Path;

use actions_engine::Engine;
use actions_engine::browser::Browser;
use actions_engine::browser::chromium::{AttachOptions, attach};
use actions_testserver::LocalSite;
use serde_json::json;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let endpoint = std::env::args().nth(1).ok_or("the address of a running Chromium is missing")?;
    search_in(&endpoint).await
}

pub(crate) async fn search_in(endpoint: &str) -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let site = LocalSite::serve(&root, "example.com").await?;
    let engine = Engine::load(site.map(""))?;
    let browser = attach(endpoint, AttachOptions::default()).await?;
    println!("attached to {}", browser.product());
    let session = engine.open(&browser).await?;
    let outcome = session.call("search.submit").arguments(json!({ "query": "maps" })).run().await;
    session.close().await;
    browser.close().await;
    println!("{} works", outcome.result?["total"]);
    Ok(())
}
