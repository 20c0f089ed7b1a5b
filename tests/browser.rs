//! Choosing the browser, and cleaning up after an interrupted launch.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use super::{root, seen, stderr};

/// `actions primitives page.info --try about:blank`, with more arguments.
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
fn the_option_or_the_environment_chooses_the_browser() {
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
fn a_browser_with_a_scheme_is_an_endpoint() {
    for endpoint in ["wss://127.0.0.1:1/x", "https://127.0.0.1:1", "ftp://127.0.0.1"] {
        let output = output(attempt(None, &["--browser", endpoint]));
        let printed = stderr(&output);
        assert!(
            printed.contains(&format!(
                "cannot attach to the browser at {endpoint}: the endpoint must start with ws:// or http://"
            )),
            "{printed}"
        );
    }
}

#[test]
fn headed_is_refused_for_a_running_browser_and_for_the_headless_shell() {
    let running = output(attempt(None, &["--headed", "--browser", "ws://127.0.0.1:1/x"]));
    assert!(
        stderr(&running).contains("`--headed` applies only to a browser that this command launches"),
        "{}",
        seen(&running)
    );
    let folder = tempfile::tempdir().expect("a folder");
    let shell = program(folder.path(), "headless-shell", "#!/bin/sh\n");
    let named = output(attempt(None, &["--headed", "--browser", &shell]));
    assert!(stderr(&named).contains("the headless shell has no windows"), "{}", seen(&named));
}

#[test]
fn interrupting_a_browser_launch_leaves_no_profile_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let silent = program(folder.path(), "browser", "#!/bin/sh\nexec sleep 600\n");
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
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

/// Waits until a condition holds, for at most a minute.
fn until(mut holds: impl FnMut() -> bool) {
    let started = Instant::now();
    while !holds() {
        assert!(started.elapsed() < Duration::from_secs(60), "the condition never held");
        std::thread::sleep(Duration::from_millis(2));
    }
}
