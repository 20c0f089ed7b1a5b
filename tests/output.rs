//! A standard output that takes nothing: what became of the work is told all the same.

use std::fs::File;
use std::process::{Command, Output, Stdio};

use actions_testserver::LocalSite;

use super::{root, seen, stderr};

/// Runs `actions` for a reader that goes away before anything is written.
fn unread(arguments: &[&str]) -> Output {
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

/// Runs `actions` with a standard output that has no room.
fn without_room(arguments: &[&str]) -> Output {
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
fn a_reader_that_goes_away_does_not_make_a_failure_a_success() {
    for (arguments, exit) in [
        (&["validate", "--format", "github", "fixtures/demo/broken.json"][..], 3),
        (&["run", "sites/example.com/actions.json", "no.such.tool", "--item"], 2),
        (&["list", "sites/example.com/actions.json"], 0),
    ] {
        let output = unread(arguments);
        assert_eq!(output.status.code(), Some(exit), "{arguments:?}: {}", seen(&output));
    }
}

#[test]
fn a_result_that_cannot_be_written_is_no_success() {
    let output = without_room(&["list", "sites/example.com/actions.json"]);
    assert_eq!(output.status.code(), Some(6), "{}", seen(&output));
    assert_eq!(stderr(&output).lines().count(), 1, "it is said once: {}", seen(&output));
    let output = without_room(&["validate", "--format", "json", "-q", "fixtures/demo/broken.json"]);
    assert_eq!(output.status.code(), Some(3), "{}", seen(&output));
}

#[test]
fn a_recording_is_kept_whether_or_not_the_value_is_taken() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let site = runtime.block_on(LocalSite::serve(&root(), "example.com")).expect("a site");
    let map = site.map("").display().to_string();
    for (run, exit) in [(unread as fn(&[&str]) -> Output, 0), (without_room, 6)] {
        let scratch = tempfile::tempdir().expect("a scratch folder");
        let har = scratch.path().join("a.har").display().to_string();
        let output = run(&["record", &map, "page.text", "--har", &har]);
        assert_eq!(output.status.code(), Some(exit), "{}", seen(&output));
        let files: Vec<_> = std::fs::read_dir(scratch.path()).expect("a folder").flatten().collect();
        assert_eq!(files.len(), 1, "the recording and no draft: {files:?}");
        assert!(std::fs::read_to_string(&har).expect("a recording").contains("/assets/style.css"));
    }
}
