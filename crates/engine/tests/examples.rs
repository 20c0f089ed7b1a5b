//! The examples do what they show.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot continue should panic")]

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use actions_engine::browser::chromium;

#[path = "../examples/attach.rs"]
#[allow(dead_code, reason = "its `main` reads the command line")]
mod attach;
#[path = "../examples/confirmation.rs"]
#[allow(dead_code, reason = "its `main` prints what the test looks at")]
mod confirmation;
#[path = "../examples/many_pages.rs"]
mod many_pages;
#[path = "../examples/one_call.rs"]
#[allow(dead_code, reason = "its `main` keeps the picture")]
mod one_call;

fn block_on<T>(example: impl Future<Output = T>) -> T {
    tokio::runtime::Runtime::new().unwrap().block_on(example)
}

#[test]
fn one_call_is_made() {
    let (value, picture) = block_on(one_call::search()).unwrap();
    assert_eq!(value["total"], 17, "{value}");
    assert!(picture.starts_with(b"\x89PNG"));
}

#[test]
fn many_pages_are_used_at_once() {
    many_pages::main().unwrap();
}

#[test]
fn a_person_is_asked_before_anything_is_changed() {
    let printed = block_on(confirmation::add_prints(&[2, 5])).unwrap();
    let [agreed, denied] = &printed.questions[..] else {
        panic!("one question a call: {:?}", printed.questions)
    };
    assert!(agreed.starts_with("cart.add ") && agreed.ends_with("yes"), "{agreed}");
    assert!(denied.starts_with("cart.add ") && denied.ends_with("no"), "{denied}");
    assert!(printed.results[0].is_ok(), "{:?}", printed.results[0]);
    let error = printed.results[1].as_ref().unwrap_err();
    assert_eq!(error.code.as_str(), "permission_denied", "{error}");
}

/// A Chromium that this process did not start.
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
    block_on(attach::search_in(&endpoint)).unwrap();
    assert!(foreign.process.try_wait().unwrap().is_none(), "it still runs");
}
