//! Files are exchanged with Playwright and DevTools: storage states in both directions, and recordings of ours.

use std::path::{Path, PathBuf};
use std::process::Command;

use actions_testserver::TestServer;
use rustix::fs::{FlockOperation, flock};
use serde_json::{Value, json};

use super::{actions, root, seen, stdout};

/// The folder with Playwright from npm, or why it cannot be installed here.
fn playwright() -> Result<PathBuf, String> {
    let fixture = root().join("fixtures/playwright");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("playwright");
    let failed = |error: std::io::Error| error.to_string();
    std::fs::create_dir_all(&folder).map_err(failed)?;
    let lock = std::fs::File::create(folder.join("lock")).map_err(failed)?;
    flock(&lock, FlockOperation::LockExclusive).map_err(|error| error.to_string())?;
    if folder.join("node_modules/playwright-core/package.json").is_file() {
        return Ok(folder);
    }
    for file in ["package.json", "package-lock.json"] {
        std::fs::copy(fixture.join(file), folder.join(file)).map_err(failed)?;
    }
    let prefix = folder.display().to_string();
    let install = ["ci", "--prefix", &prefix, "--ignore-scripts", "--no-audit", "--no-fund"];
    let installed = Command::new("npm").args(install).output().map_err(failed)?;
    match installed.status.success() {
        true => Ok(folder),
        false => Err(String::from_utf8_lossy(&installed.stderr).into_owned()),
    }
}

/// What the page shows in Playwright.
fn in_playwright(folder: &Path, what: &str, url: &str, file: &Path) -> String {
    let browser = std::env::var("ACTIONS_BROWSER").unwrap_or_else(|_| "/usr/bin/chromium".to_owned());
    let script = root().join("fixtures/playwright/storage_state.mjs");
    let ran = Command::new("node").arg(script).arg(what).arg(folder).arg(browser).arg(url).arg(file).output();
    let output = ran.expect("node starts");
    assert!(output.status.success(), "{}", seen(&output));
    stdout(&output).trim().to_owned()
}

/// What the page shows under our own control, once it has read its storage.
fn in_actions(url: &str, more: &[&str]) -> String {
    let who = json!({ "selector": "#who:not(:empty)" });
    let steps = json!([
        { "id": "shown", "primitive": "locator.wait_for", "args": { "locator": who } },
        { "id": "who", "primitive": "locator.text_content", "args": { "locator": who } },
    ]);
    let workflow = json!({ "version": 1, "expression_language": "jsonata", "steps": steps,
        "output": "{% steps.who.output.text %}" });
    let tool = json!({ "name": "who", "description": "Reads who is logged in.", "workflow": workflow,
        "input_schema": { "type": "object", "additionalProperties": false } });
    let surface = json!({ "name": "Login", "origin": url.rsplit_once('/').expect("a path").0 });
    let map = json!({ "protocol": "actions.json", "version": 1, "surface": surface, "tools": [tool] });
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("actions.json");
    std::fs::write(&file, map.to_string()).expect("a map");
    let arguments = ["run", file.to_str().expect("a path"), "who", "--url", url];
    let output = actions(&[&arguments[..], more].concat());
    let value: Value = serde_json::from_str(&stdout(&output)).unwrap_or_else(|_| panic!("{}", seen(&output)));
    value.as_str().unwrap_or_else(|| panic!("{}", seen(&output))).to_owned()
}

#[tokio::test]
async fn a_storage_state_of_playwright_logs_us_in_and_ours_logs_playwright_in() {
    let server = TestServer::start().await.expect("a server");
    let page = std::fs::read_to_string(root().join("fixtures/playwright/site.html")).expect("a page");
    server.page("/", &page);
    server.page("/login", &page);
    let (login, home) = (server.url("/login"), server.url("/"));
    let exchange = move || {
        let folder = match playwright() {
            Ok(folder) => folder,
            Err(why) => {
                eprintln!("skipped: Playwright cannot be installed from npm: {why}");
                return;
            }
        };
        let scratch = tempfile::tempdir().expect("a folder");
        let (theirs, ours) = (scratch.path().join("theirs.json"), scratch.path().join("ours.json"));
        let shown = in_playwright(&folder, "save", &login, &theirs);
        assert!(shown.starts_with("user=ada ada « lócal » [7,86400000,true,true,"), "{shown}");
        let file = |path: &Path| path.display().to_string();
        assert_eq!(in_actions(&home, &["--storage-state", &file(&theirs)]), shown);

        let saved = in_actions(&login, &["--save-storage-state", &file(&ours)]);
        assert_eq!(saved, shown);
        assert_eq!(in_playwright(&folder, "show", &home, &ours), shown);
    };
    tokio::task::spawn_blocking(exchange).await.expect("the states are exchanged");
}

/// What Playwright and DevTools make of a recording.
fn read_by_others(folder: &Path, recording: &Path) -> Value {
    let browser = std::env::var("ACTIONS_BROWSER").unwrap_or_else(|_| "/usr/bin/chromium".to_owned());
    let script = root().join("fixtures/playwright/recording.mjs");
    let output = Command::new("node").arg(script).arg(folder).arg(browser).arg(recording).output();
    let output = output.expect("node starts");
    assert!(output.status.success(), "{}", seen(&output));
    serde_json::from_str(&stdout(&output)).unwrap_or_else(|_| panic!("{}", seen(&output)))
}

#[test]
fn a_recording_is_replayed_by_playwright_and_imported_by_devtools() {
    let folder = match playwright() {
        Ok(folder) => folder,
        Err(why) => {
            eprintln!("skipped: Playwright cannot be installed from npm: {why}");
            return;
        }
    };
    for site in
        ["sites/example.com/recordings/cart.har", "sites/board.example/board/recordings/move_card.har"]
    {
        let recording = root().join(site);
        let har: Value = serde_json::from_str(&std::fs::read_to_string(&recording).expect("a recording"))
            .expect("a recording is JSON");
        let entries = har["log"]["entries"].as_array().expect("entries");
        let found = read_by_others(&folder, &recording);
        assert_eq!(found["replayed"]["status"], 200, "{found:#}");
        assert_ne!(found["replayed"]["title"], "", "{found:#}");
        assert_eq!(found["replayed"]["missing"], json!([]), "{found:#}");
        let statuses: Vec<&Value> = entries.iter().map(|entry| &entry["response"]["status"]).collect();
        assert_eq!(found["imported"]["statuses"], json!(statuses), "{found:#}");
        let has_body = |bytes: &Value| bytes.as_u64().is_some_and(|bytes| bytes > 0);
        assert!(found["imported"]["bytes"].as_array().expect("bodies").iter().all(has_body), "{found:#}");
    }
}
