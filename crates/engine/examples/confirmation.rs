//! Asking before anything is changed: `cargo run -p actions-engine --example confirmation`
//!
//! A tool that only reads runs without a question. A tool that may change something is asked about first, with its
//! arguments but without its secrets; the time the answer takes is not counted against the call.
#![allow(clippy::print_stdout, reason = "an example talks to the person who runs it")]

use std::error::Error;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use actions_engine::browser::Browser;
use actions_engine::browser::chromium::{LaunchOptions, launch};
use actions_engine::{CallError, Confirmation, Engine};
use actions_testserver::LocalSite;
use serde_json::{Value, json};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let printed = add_prints(&[2, 5]).await?;
    for (question, result) in printed.questions.iter().zip(printed.results) {
        println!("{question}");
        match result {
            Ok(value) => println!("  done: {value}"),
            Err(error) => println!("  {}: {error}", error.code),
        }
    }
    Ok(())
}

/// What was asked, and what became of the calls.
pub(crate) struct Printed {
    pub(crate) questions: Vec<String>,
    pub(crate) results: Vec<Result<Value, CallError>>,
}

/// Puts prints into a cart, a call for each number of copies.
pub(crate) async fn add_prints(copies: &[u64]) -> Result<Printed, Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let site = LocalSite::serve(&root, "example.com").await?;
    let questions = Arc::new(Mutex::new(Vec::new()));
    let asked_so_far = Arc::clone(&questions);
    let engine = Engine::load(site.map(""))?.on_confirm(move |asked: Confirmation| {
        // A program would ask a person here and wait for the answer. This one agrees to three prints at most.
        let agreed = asked.input["copies"].as_u64().is_none_or(|copies| copies <= 3);
        let answer = if agreed { "yes" } else { "no" };
        lock(&asked_so_far).push(format!("{} {} – {answer}", asked.tool, asked.input));
        async move { agreed }
    });
    let browser = launch(LaunchOptions::default()).await?.browser;
    let session = engine.open(&browser).await?;
    let mut results = Vec::new();
    for copies in copies {
        let arguments = json!({ "item_id": "night-trams", "copies": copies });
        results.push(session.call("cart.add").arguments(arguments).run().await.result);
    }
    session.close().await;
    browser.close().await;
    let questions = std::mem::take(&mut *lock(&questions));
    Ok(Printed { questions, results })
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
