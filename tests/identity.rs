//! Cookies and storage are carried from one command to the next.

use std::os::unix::fs::PermissionsExt;

use actions_testserver::{Response, TestServer};
use serde_json::{Value, json};

use super::{actions, seen, stdout};

/// A site that shows who is logged in, by cookie and by local storage.
async fn site() -> TestServer {
    let server = TestServer::start().await.expect("a server");
    let page = "<title>Site</title><p id=who></p><script>
        if (location.pathname === '/login') { document.cookie = 'user=ada'; localStorage.user = 'ada' }
        who.textContent = document.cookie + ' ' + localStorage.user
        </script>";
    server.page("/", page);
    server.page("/login", page);
    server.route("/gone", |_| Response::status(404));
    server
}

#[tokio::test]
async fn a_storage_state_that_one_command_saves_logs_the_next_one_in() {
    let server = site().await;
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("state.json");
    let name = file.display().to_string();
    let (login, page, gone) = (server.url("/login"), server.url("/"), server.url("/gone"));
    let who = json!({ "locator": { "selector": "#who" } }).to_string();
    let commands = move || {
        let failed = actions(&[
            "primitives",
            "page.info",
            "--try",
            &gone,
            "--save-storage-state",
            &name,
            "--args",
            "[]",
        ]);
        assert!(!failed.status.success());
        assert!(!file.exists(), "a command that fails saves nothing");
        let saved = actions(&["primitives", "page.info", "--try", &login, "--save-storage-state", &name]);
        assert!(saved.status.success(), "{}", seen(&saved));
        let mode = std::fs::metadata(&file).expect("the file").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        let read = |more: &[&str]| {
            let arguments = ["primitives", "locator.text_content", "--try", &page, "--args", &who];
            let output = actions(&[&arguments, more].concat());
            let value: Value =
                serde_json::from_str(&stdout(&output)).unwrap_or_else(|_| panic!("{}", seen(&output)));
            value["text"].as_str().unwrap_or_default().to_owned()
        };
        assert_eq!(read(&["--storage-state", &name]), "user=ada ada");
        assert_eq!(read(&[]), "undefined");

        std::fs::write(&file, "{\"cookies\": [{\"name\": \"sid\", \"value\": 4711}]}")
            .expect("a writable file");
        let refused = actions(&["primitives", "page.info", "--try", &page, "--storage-state", &name]);
        assert_eq!(refused.status.code(), Some(3), "{}", seen(&refused));
        assert!(!seen(&refused).contains("4711"), "a cookie is not repeated: {}", seen(&refused));
    };
    tokio::task::spawn_blocking(commands).await.expect("the commands do as expected");
}

#[test]
fn the_address_chooses_the_map_of_a_storage_root() {
    let recording = "sites/board.example/board/recordings/move_card.har";
    let arguments =
        ["run", ".", "card.move", "--arg", "card_id=card-2", "--arg", "list_id=done", "--replay", recording];
    let chosen = actions(&[&arguments[..], &["--url", "https://board.example/"]].concat());
    assert!(chosen.status.success(), "{}", seen(&chosen));
    let elsewhere = actions(&[&arguments[..], &["--url", "https://no.example/"]].concat());
    assert_eq!(elsewhere.status.code(), Some(2), "{}", seen(&elsewhere));
    assert!(seen(&elsewhere).contains("board.example"), "{}", seen(&elsewhere));
    let listed = actions(&["list", ".", "--format", "json"]);
    let listed: Value = serde_json::from_str(&stdout(&listed)).expect("JSON");
    assert!(
        listed["maps"].as_array().is_some_and(|maps| maps.iter().any(|map| map["host"] == "example.com"))
    );
}

#[tokio::test]
async fn a_login_that_has_expired_is_auth_lost_and_no_wrong_answer() {
    let server = TestServer::start().await.expect("a server");
    server.page("/", "<title>Site</title><p id=welcome>Please sign in.</p>");
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let map = json!({
        "protocol": "actions.json", "version": 1, "surface": { "origin": server.origin(), "name": "Site" },
        "x_actions": { "auth_check": "signed_in" },
        "states": [{ "name": "signed_in", "description": "Someone is signed in.",
            "diagnostics": [{ "target": { "selector": "#account" } }] }],
        "tools": [{ "name": "welcome.read", "description": "Reads the welcome.", "input_schema": { "type": "object" },
            "workflow": { "version": 1, "expression_language": "jsonata",
                "steps": [{ "id": "read", "primitive": "locator.text_content",
                    "args": { "locator": { "selector": "#welcome" } } }],
                "output": "{% steps.read.output.text %}" } }],
    });
    std::fs::write(path("actions.json"), map.to_string()).expect("a writable folder");
    std::fs::write(path("expired.json"), "{\"cookies\": [], \"origins\": []}").expect("a writable folder");
    let (map, file) =
        (path("actions.json").display().to_string(), path("expired.json").display().to_string());
    let commands = move || {
        let call = ["run", &map, "welcome.read"];
        let fresh = actions(&call);
        assert_eq!(stdout(&fresh).trim(), "\"Please sign in.\"", "{}", seen(&fresh));
        let lost = actions(&[&call[..], &["--storage-state", &file]].concat());
        assert_eq!(lost.status.code(), Some(5), "{}", seen(&lost));
        assert!(seen(&lost).contains("error[auth_lost]"), "{}", seen(&lost));
        assert_eq!(stdout(&lost), "", "no wrong answer");
    };
    tokio::task::spawn_blocking(commands).await.expect("the commands do as expected");
}
