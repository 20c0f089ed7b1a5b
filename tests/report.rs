//! `actions report`: one page from traces, checks and cases, opened in Chromium.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use actions_engine::browser::chromium::{LaunchOptions, launch};
use actions_engine::browser::{Browser, ContextOptions, Deadline, LoadState, Page, SystemClock, Viewport};
use actions_engine::{Engine, Session};
use actions_testserver::{Response, TestServer};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::{actions, seen, stderr, stdout};

/// What a page may say to become part of a report.
const HOSTILE: &str = "</pre></script><script>window.pwned = 1</script><img src=x onerror='window.pwned = 2'>\" onclick=\"window.pwned = 3";

/// A trace, the results of checks and of cases, all of a page that wants to be markup, and the report of them.
struct Reported {
    folder: TempDir,
    server: TestServer,
    runtime: tokio::runtime::Runtime,
}

impl Reported {
    fn new() -> Self {
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        let server = runtime.block_on(TestServer::start()).expect("a server");
        let reported = Self { folder: tempfile::tempdir().expect("a folder"), server, runtime };
        reported.page("Save");
        reported.write("actions.json", &reported.map());
        reported.write("cases/other.json", &json!({
            "run": { "tool": "press", "arguments": { "word": "tulip" } }, "recording": "recordings/press.har",
            "expect": { "value": format!("{HOSTILE}?") },
        }));
        let map = reported.at("actions.json");
        let press = ["press", "--arg", "word=tulip", "--arg", "pin=4711-secret"];
        fs::create_dir_all(reported.path("recordings")).expect("a folder");
        let har = reported.at("recordings/press.har");
        reported.done(&[&["record", &map], &press[..], &["--har", &har, "-q"]].concat(), 0);
        let (folder, state) = (reported.at("evidence"), reported.at("state.json"));
        let evidence = ["--evidence", &folder, "--state", &state];
        let check = ["check", &map, "-q", "--patience", "300ms"];
        reported.done(&[&check, &evidence[..]].concat(), 0);
        let trace = reported.at("trace");
        let extras = ["--trace", &trace, "--diff", "shop.page", "-q"];
        reported.done(&[&["run", &map], &press[..], &extras[..]].concat(), 0);

        reported.page("Delete");
        let checks = reported.done(&[&check, &evidence[..], &["--format", "json"]].concat(), 4);
        fs::write(reported.path("checks.json"), checks).expect("a file");
        let failed = reported.at("failed");
        reported.done(&["run", &map, "fail", "--trace", &failed, "-q"], 1);
        let cases = reported.done(&["test", &map, "-q", "--format", "json"], 4);
        fs::write(reported.path("cases.json"), cases).expect("a file");
        let inputs = ["trace", "failed", "checks.json", "cases.json"].map(|name| reported.at(name));
        let inputs: Vec<&str> = inputs.iter().map(String::as_str).collect();
        let output = actions(&[&["report"], &inputs[..], &["-o", &reported.at("report.html")]].concat());
        assert_eq!(output.status.code(), Some(0), "{}", seen(&output));
        assert!(stderr(&output).contains("wrote "), "{}", seen(&output));
        reported
    }

    fn page(&self, name: &str) {
        let text = serde_json::to_string(HOSTILE).expect("JSON").replace("</", "<\\/");
        self.server.page(
            "/",
            format!(
                "<!doctype html><html lang=en><title>Shop</title><h1 id=title></h1><div style='height:300px'></div>
                 <button id=go>{name} basket</button><p id=said></p>
                 <script>const hostile = {text};
                 title.textContent = hostile; document.title = hostile;
                 go.onclick = () => {{ console.error(hostile); fetch('/none?' + hostile).finally(() => {{ said.textContent = hostile; said.className = 'done' }}) }};</script>"
            ),
        );
        self.server.route("/favicon.ico", |_| Response::status(204));
    }

    fn map(&self) -> Value {
        let press = json!({ "id": "press", "primitive": "pointer.click", "args": { "locator": { "selector": "#go" } } });
        json!({
            "protocol": "actions.json", "version": 1,
            "surface": { "origin": self.server.origin(), "url": self.server.url("/") },
            "tools": [
                { "name": "press", "description": "Presses the button.", "target": { "selector": "#go" },
                  "input_schema": { "type": "object", "additionalProperties": false, "properties": {
                    "word": { "type": "string" }, "pin": { "type": "string", "format": "password" } } },
                  "workflow": { "version": 1, "expression_language": "jsonata", "steps": [press,
                    { "id": "done", "primitive": "locator.wait_for", "args": { "locator": { "selector": "#said.done" } } },
                    { "id": "read", "primitive": "locator.text_content", "args": { "locator": { "selector": "#said.done" } } }],
                    "output": "{% steps.read.output.text %}" } },
                { "name": "fail", "description": "Waits for what never comes.",
                  "input_schema": { "type": "object", "additionalProperties": false },
                  "workflow": { "version": 1, "expression_language": "jsonata", "steps": [
                    { "id": "wait", "primitive": "locator.wait_for", "args": { "locator": { "selector": "#never" }, "timeout_ms": 200 } }] } }
            ],
            "state_projections": [{ "name": "shop.page", "description": "What the page says.",
                "snapshot": { "version": 1, "source": "dom",
                    "extract": [{ "id": "said", "selector": "#said", "many": false, "fields": { "text": { "property": "innerText" } } }],
                    "projection": { "language": "jsonata", "expression": "{% { 'said': records.said.text } %}" } } }],
            "checks": [{ "id": "title_there", "description": "There is a title.", "severity": "major",
                "assertions": [{ "target": { "selector": "#go" }, "text_equals": "Save basket" }],
                "on_fail": { "store_evidence": ["title", "dom_snapshot", "console"], "contingency": HOSTILE } }]
        })
    }

    fn done(&self, arguments: &[&str], exit: i32) -> String {
        let output = actions(arguments);
        assert_eq!(output.status.code(), Some(exit), "{}", seen(&output));
        stdout(&output)
    }

    fn write(&self, name: &str, content: &Value) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, format!("{content:#}\n")).expect("a file");
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn at(&self, name: &str) -> String {
        self.path(name).display().to_string()
    }

    /// Opens the report in Chromium at a width, and looks at it.
    fn look(&self, width: u32, look: impl AsyncFnOnce(&Session, &dyn Page)) {
        self.runtime.block_on(async {
            let html = fs::read_to_string(self.path("report.html")).expect("a report");
            self.server.page("/report", &html);
            let browser = launch(LaunchOptions::default()).await.expect("a browser").browser;
            let viewport = Some(Viewport { width, height: 800 });
            let options = ContextOptions { viewport, ..ContextOptions::default() };
            let context = browser.new_context(options, soon()).await.expect("a context");
            let page = context.new_page(soon()).await.expect("a page");
            page.navigate(&self.server.url("/report"), LoadState::Load, soon()).await.expect("it opens");
            let map = br#"{ "protocol": "actions.json", "version": 1, "tools": [] }"#;
            let engine = Engine::from_bytes("actions.json", map).expect("a map");
            let session = engine.on_page(Arc::clone(&page), browser.clock());
            look(&session, &*page).await;
            browser.close_by(soon()).await;
        });
    }
}

fn soon() -> Deadline {
    Deadline::after(&SystemClock, Duration::from_secs(30))
}

async fn ask(page: &dyn Page, source: &str) -> Value {
    page.evaluate(source, soon()).await.unwrap_or_else(|error| panic!("{source}: {error}"))
}

async fn act(session: &Session, primitive: &str, arguments: Value) {
    session
        .primitive(primitive)
        .arguments(arguments)
        .run()
        .await
        .result
        .unwrap_or_else(|error| panic!("{error:?}"));
}

#[test]
fn a_report_shows_what_happened_and_can_be_clicked_through() {
    let reported = Reported::new();
    reported.look(1280, async |session, page| {
        let count = async |selector: &str| {
            ask(page, &format!("document.querySelectorAll({}).length", json!(selector))).await
        };
        assert_eq!(ask(page, "typeof window.pwned").await, "undefined");
        assert_eq!(count("img:not([src^='data:image/png'])").await, 0);
        assert_eq!(count("script").await, 1);
        assert_eq!(count("section.part").await, 4);
        let text = ask(page, "document.body.innerText").await;
        let text = text.as_str().expect("text");
        assert!(text.contains("window.pwned = 1"), "the text of the page is shown as text");
        assert!(text.contains("[secret]") && !text.contains("4711-secret"));
        assert!(text.contains("#never"), "the failure says what was waited for");
        // The step, its pictures and where it was pressed.
        assert_eq!(count("#part-1 .steps > li").await, 3);
        assert_eq!(count("#part-1 .shot .hit").await, 2);
        assert_eq!(count("#part-1 .changes li").await, 1);
        assert_eq!(count("#part-2 .failure .source mark").await, 1);
        let line = ask(page, "document.querySelector('#part-2 .failure .source mark').textContent").await;
        assert!(line.as_str().expect("text").contains("\"id\": \"wait\""), "{line}");
        assert!(count("#part-1 tr.bad").await.as_u64() >= Some(2), "a console error and a failed request");
        // Drift, with the picture before and the one now.
        assert!(count("#part-3 .pair figure").await.as_u64() >= Some(2));
        assert!(text.contains("identity_drift") && text.contains("since"));
        assert_eq!(count("#part-4 .diff .found").await, 1);

        // Opening a step, enlarging a picture and closing it.
        act(session, "pointer.click", json!({ "locator": { "selector": "#part-1 .steps > li:first-child summary" } })).await;
        assert_eq!(ask(page, "document.querySelector('#part-1 .steps details').open").await, true);
        act(session, "pointer.click", json!({ "locator": { "selector": "#part-1 .steps .shot" } })).await;
        assert_eq!(ask(page, "document.getElementById('large').open").await, true);
        act(session, "keyboard.press", json!({ "key": "Escape" })).await;
        assert_eq!(ask(page, "document.getElementById('large').open").await, false);
        // Only what failed, by the keyboard alone.
        act(session, "keyboard.press", json!({ "key": "f" })).await;
        let shown = "[...document.querySelectorAll('.item')].filter((item) => item.getClientRects().length > 0)";
        assert_eq!(ask(page, &format!("{shown}.every((item) => item.classList.contains('failed'))")).await, true);
        assert!(ask(page, &format!("{shown}.length")).await.as_u64() >= Some(4));
        act(session, "keyboard.press", json!({ "key": "f" })).await;
        ask(page, "document.activeElement.blur()").await;
        act(session, "keyboard.press", json!({ "key": "j" })).await;
        let focused = "document.activeElement.matches('.item > summary')";
        assert_eq!(ask(page, focused).await, true);
        let before = ask(page, "document.activeElement.parentElement.open").await;
        act(session, "keyboard.press", json!({ "key": "Enter" })).await;
        assert_ne!(ask(page, "document.activeElement.parentElement.open").await, before);
        // Everything that can be pressed can be reached by Tab, and has a name.
        let unnamed = "[...document.querySelectorAll('button')].filter((each) => !each.textContent.trim() && !each.ariaLabel).length";
        assert_eq!(ask(page, unnamed).await, 0);
        // Light and dark.
        let ground = "getComputedStyle(document.body).backgroundColor";
        let light = ask(page, ground).await;
        act(session, "pointer.click", json!({ "locator": { "selector": "#theme" } })).await;
        assert_ne!(ask(page, ground).await, light);
        assert_eq!(ask(page, "typeof window.pwned").await, "undefined");
        assert_eq!(ask(page, "performance.getEntriesByType('resource').filter((each) => !each.name.startsWith('data:')).length").await, 0);
    });
}

#[test]
fn a_report_needs_no_horizontal_scrolling_on_a_phone() {
    let reported = Reported::new();
    reported.look(400, async |session, page| {
        act(session, "pointer.click", json!({ "locator": { "selector": "#open" } })).await;
        let width = ask(page, "document.documentElement.scrollWidth").await;
        let wide = "[...document.querySelectorAll('body *')].filter((each) => each.getBoundingClientRect().right > 401 && !each.closest('pre, .wide')).map((each) => each.outerHTML.slice(0, 80))";
        assert_eq!(width, 400, "{}", ask(page, wide).await);
    });
}

#[test]
fn what_is_no_input_of_a_report_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name).display().to_string();
    fs::write(at("odd.json"), "{\"summary\": {}}").expect("a file");
    for (input, exit) in [(at("odd.json"), 3), (at("none"), 2), (folder.path().display().to_string(), 3)] {
        let output = actions(&["report", &input, "-o", &at("report.html")]);
        assert_eq!(output.status.code(), Some(exit), "{}", seen(&output));
    }
    assert!(!folder.path().join("report.html").exists());
}
