//! Tests of `actions validate`.

use std::fs;

use super::{actions, seen, stderr, stdout};

/// Writes a file into a scratch folder and validates it there.
fn validate(name: &str, content: &[u8]) -> (tempfile::TempDir, String, std::process::Output) {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let path = folder.path().join(name);
    fs::write(&path, content).expect("a scratch file");
    let path = path.display().to_string();
    let output = actions(&["validate", &path]);
    (folder, path, output)
}

#[test]
fn the_sites_of_the_repository_are_valid() {
    let output = actions(&["validate", "sites"]);
    assert_eq!(output.status.code(), Some(0), "{}", seen(&output));
    assert!(stderr(&output).ends_with(" valid\n"), "not a single finding: {}", seen(&output));
    assert_eq!(stdout(&output), "");
}

#[test]
fn a_finding_shows_the_source_line_and_the_remedy() {
    let output = actions(&["validate", "fixtures/rules/W009/both.json"]);
    insta::assert_snapshot!(seen(&output));
}

#[test]
fn findings_as_json() {
    let output = actions(&["validate", "--format", "json", "-q", "fixtures/rules/W009/both.json"]);
    insta::assert_snapshot!(seen(&output));
}

#[test]
fn findings_as_github_commands() {
    let output = actions(&["validate", "--format", "github", "-q", "fixtures/rules/W009/both.json"]);
    insta::assert_snapshot!(seen(&output));
}

#[test]
fn findings_as_sarif() {
    let output = actions(&["validate", "--format", "sarif", "-q", "fixtures/rules/N002/two_tools.json"]);
    let log: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    let run = &log["runs"][0];
    insta::assert_json_snapshot!(run["results"]);
    let index = run["results"][0]["ruleIndex"].as_u64().expect("an index") as usize;
    assert_eq!(run["tool"]["driver"]["rules"][index]["id"], "N002");
}

#[test]
fn every_kind_of_malformed_file_has_its_own_code() {
    let deep = "[".repeat(10_000);
    let large = vec![b' '; 50 << 20];
    let mut latin = br#"{"protocol": "caf"#.to_vec();
    latin.extend([0xe9, b'"', b'}']);
    let cases: &[(&str, &[u8], &str)] = &[
        ("not_json.json", b"{\n  \"protocol\" \"actions.json\"\n}", "J001"),
        ("empty.json", b"", "J001"),
        ("not_utf8.json", &latin, "J003"),
        ("bom.json", b"\xef\xbb\xbf{}", "J004"),
        ("large.json", &large, "J005"),
        ("deep.json", deep.as_bytes(), "J006"),
        ("list.json", b"[]", "J007"),
        ("protocol.json", br#"{"protocol": "agent.json", "version": 1, "tools": []}"#, "M001"),
    ];
    for (name, content, code) in cases {
        let (_folder, _, output) = validate(name, content);
        assert_eq!(output.status.code(), Some(3), "{name}: {}", seen(&output));
        assert!(stderr(&output).contains(&format!("[{code}]")), "{name}: {}", stderr(&output));
    }
}

#[test]
fn the_text_of_an_imported_file_that_is_no_map_is_not_shown() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    fs::write(folder.path().join("passwords"), "SECRET: SECRET\n").expect("a file");
    let map = r#"{ "protocol": "actions.json", "version": 1, "tools": [],
        "imports": [{ "id": "a", "uri": "passwords", "namespace": "a", "trust": "local" }] }"#;
    let path = folder.path().join("actions.json");
    fs::write(&path, map).expect("a file");
    for format in ["human", "json", "github", "sarif"] {
        let output = actions(&["validate", "--format", format, &path.display().to_string()]);
        assert_eq!(output.status.code(), Some(3), "{}", seen(&output));
        let text = seen(&output);
        assert!(text.contains("J001") && text.contains("passwords"), "{text}");
        assert!(!text.contains("SECRET"), "{text}");
    }
}

#[test]
fn a_missing_file_and_a_folder_without_maps_are_wrong_usage() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let missing = folder.path().join("no.json").display().to_string();
    let output = actions(&["validate", &missing]);
    assert_eq!(output.status.code(), Some(2), "{}", seen(&output));
    assert!(stderr(&output).contains("no.json: No such file"), "{}", seen(&output));

    let empty = folder.path().display().to_string();
    let output = actions(&["validate", &empty]);
    assert_eq!(output.status.code(), Some(2), "{}", seen(&output));
    assert!(stderr(&output).contains("there is no actions.json in this folder"), "{}", seen(&output));

    assert_eq!(actions(&["validate"]).status.code(), Some(2), "no path at all");
}

#[test]
fn an_unreadable_map_does_not_hide_the_others() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    fs::create_dir_all(folder.path().join("a")).expect("a folder");
    // A dangling link is unreadable, even for root.
    std::os::unix::fs::symlink("nowhere", folder.path().join("a/actions.json")).expect("a link");
    fs::create_dir_all(folder.path().join("b")).expect("a folder");
    fs::write(folder.path().join("b/actions.json"), "[]").expect("a map");
    let path = folder.path().display().to_string();
    let output = actions(&["validate", &path]);
    assert_eq!(output.status.code(), Some(2), "{}", seen(&output));
    insta::assert_snapshot!(stderr(&output).replace(&path, "FOLDER"));
}

#[test]
fn deny_warnings_rejects_a_map_with_warnings() {
    let map = br#"{"protocol": "actions.json", "version": "0.1.0-working", "tools": []}"#;
    let (_folder, path, output) = validate("actions.json", map);
    assert_eq!(output.status.code(), Some(3), "{}", seen(&output));
    let lenient = actions(&["validate", "--lenient", &path]);
    assert_eq!(lenient.status.code(), Some(0), "{}", seen(&lenient));
    assert!(stderr(&lenient).ends_with("1 map valid: 1 warning\n"), "{}", seen(&lenient));
    let denied = actions(&["validate", "--lenient", "--deny-warnings", &path]);
    assert_eq!(denied.status.code(), Some(3), "{}", seen(&denied));
    assert!(stderr(&denied).ends_with("1 of 1 map rejected: 1 warning\n"), "{}", seen(&denied));
}

#[test]
fn control_characters_of_a_map_are_escaped() {
    let map =
        b"{\"protocol\": \"actions.json\", \"version\": 1, \"tools\": [], \"\\u001b[31mred\\u202e\": 1}";
    let (_folder, _, output) = validate("actions.json", map);
    assert!(!stderr(&output).contains('\u{1b}'), "{:?}", stderr(&output));
    assert!(!stderr(&output).contains('\u{202e}'), "{:?}", stderr(&output));
}
