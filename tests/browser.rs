//! Which browser is used, and what is left of it when a command is interrupted.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use super::{root, seen, stderr};

/// `actions primitives page.info --try` on no page at all, with more arguments.
fn attempt(browser: Option<&str>, more: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_actions"));
    command.args(["primitives", "page.info", "--try", "about:blank"]).args(more).current_dir(root());
    command.env("NO_COLOR", "1").env_remove("ACTIONS_BROWSER");
    if let Some(browser) = browser {
        command.env("ACTIONS_BROWSER", browser);
    }
    command
}

fn output(mut command: Command) -> Output {
    command.output().expect("the command starts")
}

#[test]
fn the_browser_is_named_by_the_option_or_by_the_environment() {
    for (environment, option, named) in [
        (Some("/no/such/browser"), None, "/no/such/browser"),
        (None, Some("/no/other/browser"), "/no/other/browser"),
        (Some("/no/such/browser"), Some("/no/other/browser"), "/no/other/browser"),
    ] {
        let more: Vec<&str> = option.iter().flat_map(|option| ["--browser", *option]).collect();
        let output = output(attempt(environment, &more));
        assert!(!output.status.success());
        assert!(stderr(&output).contains(&format!("there is no browser at {named}")), "{}", seen(&output));
    }
}

#[test]
fn what_has_a_scheme_is_an_endpoint_and_not_a_program() {
    for endpoint in ["wss://127.0.0.1:1/x", "https://127.0.0.1:1", "ftp://127.0.0.1"] {
        let output = output(attempt(None, &["--browser", endpoint]));
        let told = stderr(&output);
        assert!(
            told.contains(&format!(
                "cannot attach to the browser at {endpoint}: an endpoint starts with ws:// or http://"
            )),
            "{told}"
        );
    }
}

#[test]
fn a_window_that_cannot_be_shown_is_refused() {
    let running = output(attempt(None, &["--headed", "--browser", "ws://127.0.0.1:1/x"]));
    assert!(stderr(&running).contains("`--headed` is for a browser that is launched"), "{}", seen(&running));
    let folder = tempfile::tempdir().expect("a folder");
    let shell = program(folder.path(), "headless-shell", "#!/bin/sh\n");
    let named = output(attempt(None, &["--headed", "--browser", &shell]));
    assert!(stderr(&named).contains("the headless shell has no windows"), "{}", seen(&named));
}

#[test]
fn a_command_that_is_interrupted_while_its_browser_starts_leaves_nothing_behind() {
    let folder = tempfile::tempdir().expect("a folder");
    let silent = program(folder.path(), "browser", "#!/bin/sh\nexec sleep 600\n");
    for signal in [Signal::INT, Signal::TERM] {
        let profiles = tempfile::tempdir().expect("a folder");
        let mut command = attempt(Some(&silent), &[]);
        let mut child = command
            .env("TMPDIR", profiles.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the command starts");
        until(|| entries(profiles.path()) == 1);
        let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw).expect("a number");
        kill_process(pid, signal).expect("it runs");
        let status = child.wait().expect("it ends");
        assert!(status.code().is_some(), "it ends by itself: {status}");
        assert_eq!(entries(profiles.path()), 0);
    }
}

fn program(folder: &Path, name: &str, text: &str) -> String {
    let file = folder.join(name);
    std::fs::write(&file, text).expect("a file");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).expect("a program");
    file.display().to_string()
}

fn entries(folder: &Path) -> usize {
    std::fs::read_dir(folder).expect("a folder").count()
}

/// Waits until something holds; it is only a question of when.
fn until(mut holds: impl FnMut() -> bool) {
    let started = Instant::now();
    while !holds() {
        assert!(started.elapsed() < Duration::from_secs(60), "it never holds");
        std::thread::sleep(Duration::from_millis(2));
    }
}
