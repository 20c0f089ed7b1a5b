//! Standard output that is closed or full.

use std::fs::File;
use std::process::{Command, Output, Stdio};

use actions_testserver::LocalSite;

use super::{root, seen, stderr};

/// Runs `actions` with a standard output that is closed before anything is written.
fn closed(arguments: &[&str]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_actions"))
        .args(arguments)
        .current_dir(root())
        .env("NO_COLOR", "1")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    drop(child.stdout.take());
    child.wait_with_output().expect("it ends")
}

/// Runs `actions` with a standard output that is full.
fn full(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_actions"))
        .args(arguments)
        .current_dir(root())
        .env("NO_COLOR", "1")
        .stdout(File::options().write(true).open("/dev/full").expect("a device without room"))
        .stderr(Stdio::piped())
        .output()
        .expect("the command starts")
}

#[test]
fn a_closed_pipe_does_not_change_the_exit_code() {
    for (arguments, exit) in [
        (&["validate", "--format", "github", "fixtures/demo/broken.json"][..], 3),
        (&["run", "sites/example.com/actions.json", "no.such.tool", "--item"], 2),
        (&["list", "sites/example.com/actions.json"], 0),
    ] {
        let output = closed(arguments);
        assert_eq!(output.status.code(), Some(exit), "{arguments:?}: {}", seen(&output));
    }
}

#[test]
fn a_full_disk_turns_success_into_failure() {
    let output = full(&["list", "sites/example.com/actions.json"]);
    assert_eq!(output.status.code(), Some(6), "{}", seen(&output));
    assert_eq!(stderr(&output).lines().count(), 1, "one error line: {}", seen(&output));
    let output = full(&["validate", "--format", "json", "-q", "fixtures/demo/broken.json"]);
    assert_eq!(output.status.code(), Some(3), "{}", seen(&output));
}

#[test]
fn the_recording_is_saved_even_if_the_value_cannot_be_written() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let site = runtime.block_on(LocalSite::serve(&root(), "example.com")).expect("a site");
    let map = site.map("").display().to_string();
    for (run, exit) in [(closed as fn(&[&str]) -> Output, 0), (full, 6)] {
        let scratch = tempfile::tempdir().expect("a scratch folder");
        let har = scratch.path().join("a.har").display().to_string();
        let output = run(&["record", &map, "page.text", "--har", &har]);
        assert_eq!(output.status.code(), Some(exit), "{}", seen(&output));
        let files: Vec<_> = std::fs::read_dir(scratch.path()).expect("a folder").flatten().collect();
        assert_eq!(files.len(), 1, "the recording and no draft: {files:?}");
        assert!(std::fs::read_to_string(&har).expect("a recording").contains("/assets/style.css"));
    }
}
