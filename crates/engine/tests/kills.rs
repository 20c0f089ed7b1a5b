//! Kills Chromium between any two steps: every call reports the loss, none continues on a new page, nothing is left behind.
//!
//! `ACTIONS_STEP_KILLS` is the number of rounds; every round kills at the next boundary.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test that cannot continue should panic")]

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use actions_engine::browser::chromium::{LaunchOptions, launch};
use actions_engine::browser::{Browser, ContextOptions, Deadline};
use actions_engine::{Engine, EventKind, RunEvent};
use actions_protocol::{ErrorCode, Exit};
use actions_testserver::TestServer;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

const STEPS: usize = 10;

/// The longest time until a loss is reported, on a busy machine too.
const MOST: Duration = Duration::from_secs(10);

fn millis(samples: &[Duration]) -> Vec<u128> {
    samples.iter().map(Duration::as_millis).collect()
}

/// Ten steps: reading, going somewhere, trying again, typing. Whatever fails is to be passed over.
fn ten_steps(origin: &str) -> Value {
    let read = |id: String| json!({ "id": id, "primitive": "locator.text_content", "args": { "locator": { "selector": "h1" } }, "on_error": "continue" });
    let mut steps: Vec<Value> = (0..STEPS).map(|number| read(format!("step{number}"))).collect();
    steps[3] = json!({ "id": "step3", "primitive": "browser.navigate", "args": { "url": origin }, "on_error": "continue" });
    steps[5]["retry_until"] = json!("{% steps.step5.ok %}");
    steps[5]["max_attempts"] = json!(5);
    steps[7] = json!({ "id": "step7", "primitive": "text.insert", "args": { "target": { "selector": "#name" }, "text": "ada" }, "on_error": "continue" });
    steps[8]["settle_after"] = json!({ "locator": { "selector": "h1" } });
    json!({
        "protocol": "actions.json", "version": 1, "surface": { "origin": origin, "name": "Ten" },
        "tools": [{ "name": "t", "description": "Ten steps.",
            "input_schema": { "type": "object", "additionalProperties": false },
            "workflow": { "version": 1, "expression_language": "jsonata", "steps": steps, "output": "{% steps.step9.ok %}" } }],
    })
}

fn processes_of(folder: &Path) -> usize {
    let named = folder.display().to_string();
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let lines = entries.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
    lines.filter(|line| String::from_utf8_lossy(line).contains(&named)).count()
}

#[test]
fn killing_chromium_between_any_two_steps_is_reported_and_leaves_nothing_behind() {
    let rounds =
        std::env::var("ACTIONS_STEP_KILLS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(STEPS);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let root = tempfile::tempdir().unwrap();
    let mut reported = Vec::new();
    runtime.block_on(async {
        let server = TestServer::start().await.unwrap();
        server.page("/", "<h1>Maps</h1><input id=name>");
        let map = ten_steps(&server.origin());
        let engine = Engine::from_bytes("actions.json", map.to_string().as_bytes()).unwrap();
        for round in 0..rounds {
            let options =
                LaunchOptions { profile_root: Some(root.path().to_owned()), ..LaunchOptions::default() };
            let browser = launch(options).await.expect("a browser is installed").browser;
            let deadline = Deadline::after(&*browser.clock(), Duration::from_secs(60));
            let context = browser.new_context(ContextOptions::default(), deadline).await.unwrap();
            let session = engine.open_in(&browser, context, Some(&server.url("/"))).await.unwrap();
            let leader = Pid::from_raw(i32::try_from(browser.process_id().unwrap()).unwrap()).unwrap();
            let (finished, killed, gave_after) = (AtomicUsize::new(0), Mutex::new(None), AtomicUsize::new(0));
            let watch = |event: &RunEvent| {
                let boundary = match &event.kind {
                    EventKind::CallStarted { .. } => Some(0),
                    EventKind::StepFinished { .. } => Some(finished.fetch_add(1, Ordering::Relaxed) + 1),
                    _ => None,
                };
                let mut killed = killed.lock().unwrap();
                match &event.kind {
                    _ if killed.is_none() && boundary == Some(round % STEPS) => {
                        kill_process(leader, Signal::KILL).unwrap();
                        *killed = Some(Instant::now());
                    }
                    EventKind::PrimitiveFinished { output: Some(_), .. } if killed.is_some() => {
                        gave_after.fetch_add(1, Ordering::Relaxed);
                    }
                    _ => {}
                }
            };
            let outcome = session.call("t").observer(&watch).run().await;
            let took = killed.lock().unwrap().expect("it was killed").elapsed();
            let error = outcome.result.unwrap_err();
            assert_eq!(
                (error.code, error.exit()),
                (ErrorCode::BrowserLost, Exit::Unavailable),
                "round {round}: {error}"
            );
            assert_eq!(gave_after.into_inner(), 0, "nothing came from a fresh page in round {round}");
            reported.push(took);
            drop(session);
            browser.close().await;
            assert_eq!(processes_of(root.path()), 0);
            assert_eq!(std::fs::read_dir(root.path()).unwrap().count(), 0, "the profile is removed");
        }
    });
    // Read by `cargo xtask soak`, which is stricter than a busy machine lets us be here.
    println!("soak: browser killed between steps, reported: {:?}", millis(&reported));
    assert!(reported.iter().all(|took| *took < MOST), "the loss is noticed, not waited for: {reported:?}");
}
