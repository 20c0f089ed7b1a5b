//! Progress of a call: steps on a terminal, nothing in a pipe, more with `-v`.

use std::io::Write;
use std::process::{Command, Stdio};

use super::{actions, root, seen, stderr, stdout};

/// The arguments of a call whose network is a recording.
const SEARCH: &[&str] = &[
    "run",
    "sites/example.com/actions.json",
    "search.submit",
    "--replay",
    "sites/example.com/recordings/search.har",
];

/// Returns the lines about the call; the note about the sandbox depends on the machine.
fn printed(stderr: &str) -> Vec<&str> {
    stderr.lines().filter(|line| !line.starts_with("note: Chromium")).collect()
}

#[test]
fn a_pipe_gets_no_progress_and_input_can_be_piped_in() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_actions"))
        .args(SEARCH)
        .args(["--input", "-"])
        .current_dir(root())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(br#"{ "query": "maps" }"#).expect("it reads");
    drop(stdin);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0), "{}", seen(&output));
    assert_eq!(printed(&stderr(&output)), Vec::<&str>::new());
    assert!(stdout(&output).contains(r#""total":17"#), "one line: {}", seen(&output));
}

#[test]
fn verbose_prints_every_step_and_input_can_be_a_file() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let input = folder.path().join("input.json");
    std::fs::write(&input, r#"{ "query": "maps" }"#).expect("a file");
    let input = format!("@{}", input.display());
    let output = actions(&[SEARCH, &["--input", &input, "-v"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", seen(&output));
    let text = stderr(&output);
    let steps: Vec<Vec<&str>> =
        printed(&text).into_iter().map(|line| line.split_whitespace().take(3).collect()).collect();
    assert!(steps.contains(&vec!["✓", "fillQuery", "text.insert"]), "{text}");
    assert!(steps.iter().all(|step| matches!(step[..], ["✓" | "–", _, _])), "{text}");
}

/// Returns the texts written to a terminal, without control sequences.
fn shown(terminal: &str) -> Vec<String> {
    let mut plain = String::new();
    let mut rest = terminal.chars();
    while let Some(c) = rest.next() {
        match c {
            '\u{1b}' => drop(rest.by_ref().skip(1).find(|end| end.is_ascii_alphabetic())),
            '\r' => plain.push('\n'),
            c => plain.push(c),
        }
    }
    plain.lines().map(|line| line.trim_end().to_owned()).filter(|line| !line.is_empty()).collect()
}

#[test]
fn the_live_line_on_a_terminal_follows_the_call() {
    let command = [&[env!("CARGO_BIN_EXE_actions")], SEARCH, &["--arg", "query=maps"]].concat().join(" ");
    let output = Command::new("script")
        .args(["-qec", &command, "/dev/null"])
        .current_dir(root())
        .env("TERM", "xterm")
        .stdin(Stdio::null())
        .output()
        .expect("`script`, which makes a terminal, is installed by `cargo xtask setup`");
    assert_eq!(output.status.code(), Some(0), "{}", seen(&output));
    let lines = shown(&stdout(&output));
    let opening = |line: &String| line.contains("opening the page");
    let last = lines.iter().rposition(opening).expect("the opening of the page is shown");
    let first_step = lines.iter().position(|line| line.contains("✓")).expect("steps are shown");
    assert!(last < first_step, "the page is open before the first step ends: {lines:#?}");
    let live = |line: &String| line.contains("(1 of");
    assert!(lines.iter().any(live), "the running step is shown: {lines:#?}");
    let value = lines.iter().position(|line| line == "{").expect("the value is pretty-printed");
    assert!(lines[value..].iter().any(|line| line.trim() == "\"total\": 17,"), "{lines:#?}");
    assert!(!lines[value..].iter().any(|line| line.contains(" of 6)")), "the live line is gone: {lines:#?}");
}
