//! What maps can do to a terminal: nothing. Every command is shown a hostile map, in a pipe and at a terminal.

use std::fs;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::{actions, root, stderr, stdout};

/// A text that tries to colour, clear, reverse and extend what is printed.
const HOSTILE: &str =
    "x\u{9b}31m\u{90}q\u{1b}[31m\u{1b}]0;t\u{7}\u{202e}\u{2066}\u{feff}\u{7f}\nFORGED\r\nFORGED  line";

/// The command lines, with `MAP` for the hostile map and `BROKEN` for one with findings everywhere.
const COMMANDS: &[&[&str]] = &[
    &["validate", "MAP", "BROKEN"],
    &["validate", "--lenient", "BROKEN"],
    &["validate", "--format", "github", "BROKEN"],
    &["validate", "--format", "json", "BROKEN"],
    &["validate", "--format", "sarif", "BROKEN"],
    &["list", "MAP"],
    &["list", "--lenient", "BROKEN"],
    &["list", "MAP", "--format", "json"],
    &["run", "MAP", "t"],
    &["run", "MAP", "t", "--item"],
    &["run", "MAP", "t", "--arg", "a=HOSTILE"],
    &["run", "MAP", "HOSTILE"],
    &["run", "MAP", "t", "--item", "--HOSTILE"],
    &["record", "MAP", "HOSTILE", "--har", "FOLDER/a.har"],
    &["state", "read", "MAP", "HOSTILE"],
    &["state", "summary", "MAP", "p", "HOSTILE"],
    &["explain", "HOSTILE"],
    &["primitives", "HOSTILE"],
    &["schema"],
];

/// What a machine reads in a pipe is not made for people.
fn is_for_machines(command: &[&str]) -> bool {
    command.iter().any(|word| matches!(*word, "json" | "sarif" | "--item" | "run" | "schema"))
}

fn hostile_map() -> Value {
    json!({
        "protocol": "actions.json", "version": 1, "prompt": HOSTILE,
        "surface": { "name": HOSTILE, "origin": "https://a.example" },
        "tools": [{
            "name": "t", "description": HOSTILE,
            "input_schema": { "type": "object", "properties": { "a": { "enum": [HOSTILE] } }, "additionalProperties": false },
            "x_actions": { "static_output": { HOSTILE: [HOSTILE] } },
        }],
        "context": [{ "id": "c", "title": HOSTILE, "body": HOSTILE }],
        "states": [{ "name": "s", "description": HOSTILE }],
        "state_projections": [{
            "name": "p", "description": HOSTILE,
            "snapshot": { "version": 1, "source": "dom", "extract": [],
                "projection": { "language": "jsonata", "expression": "{}" } },
        }],
    })
}

/// The same map with keys, words and types that are wrong.
fn broken_map() -> Value {
    let mut map = hostile_map();
    map[HOSTILE] = json!(1);
    map["tools"][0][HOSTILE] = json!(HOSTILE);
    map["tools"][0]["requires"] = json!([HOSTILE]);
    map["states"][0]["name"] = json!(HOSTILE);
    map["context"][0]["next_states"] = json!([HOSTILE]);
    map["tools"][0]["input_schema"]["properties"]["a"]["type"] = json!(HOSTILE);
    map
}

/// Takes out the sequences that set a colour, which are ours.
fn without_colours(text: &str) -> String {
    let mut plain = String::new();
    let mut parts = text.split("\u{1b}[");
    plain.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let end = part.find(|c: char| !c.is_ascii_digit() && c != ';').unwrap_or(0);
        match part[end..].strip_prefix('m') {
            Some(rest) => plain.push_str(rest),
            None => plain.push_str(&format!("\u{1b}[{part}")),
        }
    }
    plain
}

/// Fails if a text has characters that control a terminal, or lines that a map made.
fn check(command: &[&str], text: &str) {
    let text = without_colours(text).replace("\r\n", "\n");
    let hidden = |c: char| {
        c.is_control() && c != '\n'
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
    };
    assert!(!text.chars().any(hidden), "{command:?}: {text:?}");
    assert!(!text.lines().any(|line| line.starts_with("FORGED")), "{command:?}: {text}");
}

#[test]
fn no_command_passes_on_what_controls_a_terminal() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    fs::write(path("map.json"), hostile_map().to_string()).expect("a map");
    fs::write(path("broken.json"), format!("{:#}", broken_map())).expect("a map");
    for command in COMMANDS {
        let words: Vec<String> = command
            .iter()
            .map(|word| {
                let word = word.replace("FOLDER", &folder.path().display().to_string());
                word.replace("MAP", &path("map.json"))
                    .replace("BROKEN", &path("broken.json"))
                    .replace("HOSTILE", HOSTILE)
            })
            .collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let output = actions(&words);
        assert!(!output.stdout.is_empty() || !output.stderr.is_empty(), "{command:?} says nothing");
        check(command, &stderr(&output));
        if !is_for_machines(command) {
            check(command, &stdout(&output));
        }
        // In single quotes a shell leaves every character as it is.
        let line: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
        let line = format!("'{}' {}", env!("CARGO_BIN_EXE_actions"), line.join(" "));
        let output = Command::new("script")
            .args(["-qec", &line, "/dev/null"])
            .current_dir(root())
            .env("TERM", "xterm")
            .stdin(Stdio::null())
            .output()
            .expect("`script`, which makes a terminal, is installed by `cargo xtask setup`");
        check(command, &stdout(&output));
    }
}

#[test]
fn a_usage_error_with_item_prints_exactly_one_item() {
    for command in [
        &["run", "--item"][..],
        &["run", "sites/example.com/actions.json", "search.submit", "--item", "--no-such"],
        &["run", "sites/example.com/actions.json", "search.submit", "--item", "--timeout", "soon"],
        &["state", "read", "--item"],
        &["state", "summary", "a.json", "p", "--item", "--no-such"],
    ] {
        let output = actions(command);
        assert_eq!(output.status.code(), Some(2), "{command:?}");
        let text = stdout(&output);
        let item: Value =
            serde_json::from_str(&text).unwrap_or_else(|error| panic!("{command:?}: {error}: {text}"));
        assert_eq!((&item["type"], text.lines().count()), (&json!("action_error"), 1), "{command:?}: {text}");
        assert_eq!(item["error"]["code"], "wrong_usage", "{command:?}: {text}");
        assert!(stderr(&output).contains("error:"), "{command:?}");
    }
    let output = actions(&["list", "--item"]);
    assert_eq!((output.status.code(), stdout(&output)), (Some(2), String::new()));
}

#[test]
fn a_large_file_of_one_line_is_reported_quickly() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let file = folder.path().join("actions.json");
    let unknown: serde_json::Map<String, Value> =
        (0..20_000).map(|n| (format!("key{n}"), json!("é"))).collect();
    let mut map = json!({ "protocol": "actions.json", "version": 1, "tools": [] });
    map.as_object_mut().expect("an object").extend(unknown);
    fs::write(&file, map.to_string()).expect("a map");
    let output = actions(&["validate", &file.display().to_string()]);
    assert_eq!(output.status.code(), Some(3));
    let bytes = output.stderr.len();
    // Each finding quotes a part of the line, not all 400 KB of it.
    assert!(bytes < 20_000 * 3_000, "{bytes} bytes");
}

#[test]
fn input_is_limited_and_has_no_repeated_keys() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let file = folder.path().join("input.json");
    fs::write(&file, vec![b' '; (16 << 20) + 1]).expect("a file");
    let map = "sites/example.com/actions.json";
    let large = format!("@{}", file.display());
    for (input, says) in
        [(large.as_str(), "has more than 16777216 bytes"), (r#"{"query": 1, "query": 2}"#, "twice")]
    {
        let output = actions(&["run", map, "search.submit", "--input", input]);
        assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
        assert!(stderr(&output).contains(says), "{}", stderr(&output));
    }
}
