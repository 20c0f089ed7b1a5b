//! Many calls at once, each in a browser context of its own: `cargo run -p actions-engine --example many_pages`
//!
//! No cookie, cache or cart is shared, so calls cannot disturb each other.
#![allow(clippy::print_stdout, reason = "an example talks to the person who runs it")]

use std::error::Error;
use std::path::Path;
use std::sync::Arc;

use actions_engine::browser::Browser;
use actions_engine::browser::chromium::{LaunchOptions, launch};
use actions_engine::{CallError, Engine};
use actions_testserver::LocalSite;
use serde_json::{Value, json};
use tokio::task::JoinSet;

#[tokio::main]
pub(crate) async fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let site = LocalSite::serve(&root, "example.com").await?;
    let engine = Engine::load(site.map(""))?;
    let browser: Arc<dyn Browser> = Arc::new(launch(LaunchOptions::default()).await?.browser);

    let mut calls = JoinSet::new();
    for query in ["maps", "walking", "ferries", "gardens"] {
        calls.spawn(search(engine.clone(), Arc::clone(&browser), query));
    }
    while let Some(call) = calls.join_next().await {
        let (query, result) = call?;
        println!("{query:<10} {} works", result?["total"]);
    }
    browser.close().await;
    Ok(())
}

async fn search(
    engine: Engine,
    browser: Arc<dyn Browser>,
    query: &'static str,
) -> (&'static str, Result<Value, CallError>) {
    let call = async {
        let session = engine.open(&*browser).await?;
        let outcome = session.call("search.submit").arguments(json!({ "query": query })).run().await;
        session.close().await;
        outcome.result
    };
    (query, call.await)
}
