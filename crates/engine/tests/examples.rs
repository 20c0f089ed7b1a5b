//! The examples do what they show.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use actions_engine::browser::chromium;

#[path = "../examples/attach.rs"]
#[allow(dead_code, reason = "its `main` reads the command line")]
mod attach;
#[path = "../examples/confirmation.rs"]
mod confirmation;
#[path = "../examples/many_pages.rs"]
mod many_pages;
#[path = "../examples/one_call.rs"]
mod one_call;

#[test]
fn one_call_is_made() {
    one_call::main().unwrap();
}

#[test]
fn many_pages_are_used_at_once() {
    many_pages::main().unwrap();
}

#[test]
fn a_person_is_asked_before_anything_is_changed() {
    confirmation::main().unwrap();
}

/// A Chromium that somebody else has started.
struct Foreign {
    process: Child,
    folder: tempfile::TempDir,
}

impl Foreign {
    fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let process = Command::new(chromium::launch::find(None, false).unwrap().path)
            .args([
                "--headless",
                "--no-sandbox",
                "--remote-debugging-port=0",
                "--no-first-run",
                "about:blank",
            ])
            .arg(format!("--user-data-dir={}", folder.path().display()))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        Self { process, folder }
    }

    /// Where it can be reached, once it has written that down.
    fn endpoint(&self) -> String {
        let file = self.folder.path().join("DevToolsActivePort");
        let started = Instant::now();
        loop {
            let text = std::fs::read_to_string(&file).unwrap_or_default();
            if let Some((port, path)) = text.split_once('\n').filter(|(_, path)| !path.is_empty()) {
                return format!("ws://127.0.0.1:{port}{}", path.trim());
            }
            assert!(started.elapsed() < Duration::from_secs(60), "it does not say where it can be reached");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Foreign {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn a_browser_that_runs_already_is_used_and_left_running() {
    let mut foreign = Foreign::start();
    let endpoint = foreign.endpoint();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(attach::search_in(&endpoint)).unwrap();
    assert!(foreign.process.try_wait().unwrap().is_none(), "it still runs");
}
