//! Asking before anything is changed: `cargo run -p actions-engine --example confirmation`
//!
//! A tool that only reads runs without a question. A tool that may change something is asked about first, with its
//! arguments but without its secrets; the time the answer takes is not counted against the call.
#![allow(clippy::print_stdout, reason = "an example talks to the person who runs it")]

use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use actions_engine::browser::chromium::{LaunchOptions, launch};
use actions_engine::browser::{Browser, ContextOptions, Deadline};
use actions_engine::{Confirmation, Engine, Policy};
use actions_testserver::LocalSite;
use serde_json::json;

#[tokio::main]
pub(crate) async fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let site = LocalSite::serve(&root, "example.com").await?;
    let policy = Policy {
        // A program would ask a person here, and wait as long as that takes. This one agrees to three prints at most.
        on_confirm: Some(Arc::new(|asked: Confirmation| {
            Box::pin(async move {
                let agreed = asked.input["copies"].as_u64().is_none_or(|copies| copies <= 3);
                println!("{} {} – {}", asked.tool, asked.input, if agreed { "yes" } else { "no" });
                agreed
            })
        })),
        ..Policy::default()
    };
    let engine = Engine::load(site.map(""))?.with_policy(policy);
    let browser = launch(LaunchOptions::default()).await?.browser;
    let deadline = Deadline::after(&*browser.clock(), Duration::from_secs(30));
    let options = ContextOptions { confinement: engine.confinement(), ..ContextOptions::default() };
    let context = browser.new_context(options, deadline).await?;
    let session = engine.open(&browser, context, None).await?;
    for copies in [2, 5] {
        let arguments = json!({ "item_id": "night-trams", "copies": copies });
        match session.call("cart.add").arguments(arguments).run().await.result {
            Ok(value) => println!("  done: {value}"),
            Err(error) => println!("  {}: {error}", error.code),
        }
    }
    session.close().await;
    browser.close().await;
    Ok(())
}
