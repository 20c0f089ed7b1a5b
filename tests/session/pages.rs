//! Popups of a session, and maps that change under it.

use actions_testserver::TestServer;
use serde_json::{Value, json};

use super::{Sessions, seen, stderr};

fn map(origin: &str, more: &[&str]) -> String {
    let press = |name: &str, selector: &str| {
        json!({ "name": name, "description": "Presses.", "input_schema": { "type": "object" },
            "workflow": { "version": 1, "expression_language": "jsonata",
                "steps": [{ "id": "press", "primitive": "pointer.click", "args": { "locator": { "selector": selector } } }],
                "output": "{% steps.press.output %}" } })
    };
    let mut tools = vec![press("open", "#open"), press("close", "#close"), press("leave", "#leave")];
    tools.extend(more.iter().map(|name| press(name, "h1")));
    json!({ "protocol": "actions.json", "version": 1, "surface": { "origin": origin, "name": "Popups" }, "tools": tools })
        .to_string()
}

async fn site() -> TestServer {
    let server = TestServer::start().await.expect("a server");
    server.page(
        "/",
        "<title>Opener</title><h1>Opener</h1><a id=open href=/popup target=_blank rel=opener>Open</a>
         <a id=leave href='http://elsewhere.example/' target=_blank>Leave</a>",
    );
    server.page(
        "/popup",
        "<title>Popup</title><h1>Popup</h1><button id=close onclick='window.close()'>Close</button>",
    );
    server
}

#[tokio::test]
async fn a_popup_joins_the_session_is_called_by_its_title_and_returns_to_its_opener() {
    let server = site().await;
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("actions.json");
    std::fs::write(&file, map(&server.origin(), &[])).expect("a writable folder");
    let commands = move || {
        let sessions = Sessions::new();
        sessions.ok(&["session", "start", "tabs", &file.display().to_string()]);
        let opened = sessions.json(&["run", "--session", "tabs", "open"]);
        assert_eq!(opened["opened_pages"][0]["runtime_id"], "tabs-2", "{opened}");
        let title = ["primitives", "page.info", "--session", "tabs", "--page"];
        assert_eq!(sessions.json(&[&title[..], &["popup"]].concat())["title"], "Popup");
        assert_eq!(sessions.json(&[&title[..], &["1"]].concat())["title"], "Opener");
        let ambiguous = sessions.refused(2, &[&title[..], &["127.0.0.1"]].concat());
        assert!(ambiguous.contains("error[ambiguous_runtime]"), "{ambiguous}");
        sessions.ok(&[
            "primitives",
            "browser.active_tab.set",
            "--session",
            "tabs",
            "--args",
            "{\"runtime_id\": \"tabs-2\"}",
        ]);
        sessions.run(&["run", "--session", "tabs", "close"]);
        let listed = sessions.json(&["session", "list", "--format", "json"]);
        assert_eq!(listed[0]["pages"].as_array().map(Vec::len), Some(1), "{listed}");
        let current = sessions.json(&["primitives", "page.info", "--session", "tabs"]);
        assert_eq!(current["title"], "Opener");
        // A page of another origin does not join.
        let left = sessions.run(&["run", "--session", "tabs", "leave"]);
        assert!(stderr(&left).contains("error[unsafe_state]"), "{}", seen(&left));
        let listed = sessions.json(&["session", "list", "--format", "json"]);
        let urls: Vec<&Value> =
            listed[0]["pages"].as_array().into_iter().flatten().map(|page| &page["url"]).collect();
        assert!(urls.iter().all(|url| !url.to_string().contains("elsewhere")), "{urls:?}");
    };
    tokio::task::spawn_blocking(commands).await.expect("the commands do as expected");
}

#[tokio::test]
async fn a_map_that_changes_is_used_at_once_and_a_broken_one_is_not() {
    let server = site().await;
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("actions.json");
    let origin = server.origin();
    std::fs::write(&file, map(&origin, &[])).expect("a writable folder");
    let commands = move || {
        let sessions = Sessions::new();
        sessions.ok(&["session", "start", "edited", &file.display().to_string()]);
        sessions.refused(2, &["run", "--session", "edited", "added"]);
        std::fs::write(&file, map(&origin, &["added"])).expect("a writable file");
        let added = sessions.run(&["run", "--session", "edited", "added"]);
        assert!(added.status.success(), "{}", seen(&added));
        assert!(stderr(&added).contains("has changed and was loaded again"), "{}", seen(&added));
        std::fs::write(&file, "{\"protocol\": \"actions.json\", \"version\": 1}").expect("a writable file");
        let kept = sessions.run(&["run", "--session", "edited", "added"]);
        assert!(kept.status.success(), "{}", seen(&kept));
        assert!(stderr(&kept).contains("the version before it stays in use"), "{}", seen(&kept));
    };
    tokio::task::spawn_blocking(commands).await.expect("the commands do as expected");
}
