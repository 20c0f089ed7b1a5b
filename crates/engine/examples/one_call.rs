//! One call, from a map to its result: `cargo run -p actions-engine --example one_call`
//!
//! The example site is served on this machine, its map is given that address, and `search.submit` is performed in
//! headless Chromium. Every step is printed as it happens; the page is kept as a picture.
#![allow(clippy::print_stdout, reason = "an example talks to the person who runs it")]

use std::error::Error;
use std::path::Path;
use std::time::Duration;

use actions_engine::browser::chromium::{LaunchOptions, launch};
use actions_engine::browser::{Browser, Deadline, Screenshot};
use actions_engine::{Engine, EventKind, RunEvent};
use actions_testserver::TestServer;
use serde_json::{Value, json};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let (value, picture) = search().await?;
    // A folder of its own, which is left for the reader.
    let path = tempfile::Builder::new().prefix("actions-one-call-").tempdir()?.keep().join("page.png");
    std::fs::write(&path, picture)?;
    println!("{}", serde_json::to_string_pretty(&value)?);
    println!("the page at the end: {}", path.display());
    Ok(())
}

/// Makes the call; gives its value and a picture of the page at the end.
pub(crate) async fn search() -> Result<(Value, Vec<u8>), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let server = TestServer::serving(root.join("fixtures/sites/example.com")).await?;
    let map = std::fs::read_to_string(root.join("sites/example.com/actions.json"))?;
    let engine =
        Engine::from_bytes("actions.json", map.replace("https://example.com", &server.origin()).as_bytes())?;

    let browser = launch(LaunchOptions::default()).await?.browser;
    let session = engine.open(&browser).await?;

    let watch = |event: &RunEvent| {
        if let EventKind::StepFinished { summary, .. } = &event.kind {
            let mark = if summary.ok { '✓' } else { '✗' };
            println!(
                "  {mark} {:<14} {:<22} {:>5} ms",
                summary.id.as_str(),
                summary.primitive,
                summary.duration_ms
            );
        }
    };
    println!("search.submit {}", json!({ "query": "maps" }));
    let outcome =
        session.call("search.submit").arguments(json!({ "query": "maps" })).observer(&watch).run().await;
    let deadline = Deadline::after(&*browser.clock(), Duration::from_secs(30));
    let picture = session.page().screenshot(Screenshot::default(), deadline).await?;
    session.close().await;
    browser.close().await;
    Ok((outcome.result?, picture))
}
