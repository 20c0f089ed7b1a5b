//! `actions test`: cases on recorded pages, and `actions record --case`, which makes them.

use std::fs;
use std::path::PathBuf;
use std::process::Output;

use actions_testserver::{Response, TestServer};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::{actions, seen, stderr, stdout};

/// A page whose every part depends on the clock, on random numbers or on timers.
const RESTLESS: &str = r#"<!doctype html><html lang=en><title>Restless</title>
<button id=go>Go</button><p id=out></p><iframe srcdoc="<p id=f></p><script>f.textContent = Math.random() + ' ' + Date.now()</script>"></iframe>
<script>
const said = [];
const say = (what) => said.push(String(what));
say(Date.now()); say(new Date().toISOString()); say(Date()); say(new Intl.DateTimeFormat('en').format());
say(performance.now()); say(performance.timeOrigin); say(Math.random()); say(crypto.randomUUID?.());
say([...crypto.getRandomValues(new Uint32Array(4))]); say(new Date(0).getTime()); say(new Date() instanceof Date);
go.onclick = (event) => {
  say(event.timeStamp);
  // A debounced handler, as libraries write it: it compares the time that has passed.
  const pressed = Date.now();
  const later = () => {
    if (Date.now() - pressed < 40) return setTimeout(later, 40 - (Date.now() - pressed));
    say(Date.now() - pressed);
    requestAnimationFrame((time) => {
      say(time);
      fetch('/echo?_=' + Date.now() + '&r=' + Math.random(), { headers: { 'x-now': String(Date.now()) } })
        .then((answer) => answer.text()).then((text) => {
          say(text);
          const source = 'postMessage([Date.now(), Math.random(), performance.now(), crypto.getRandomValues(new Uint8Array(2)).join()].join())';
          const worker = new Worker(URL.createObjectURL(new Blob([source])));
          worker.onmessage = ({ data }) => {
            say(data);
            say(document.querySelector('iframe').contentDocument.getElementById('f').textContent);
            out.textContent = said.join(' | ');
            out.className = 'done';
          };
        });
    });
  };
  setTimeout(later, 40);
};
</script>"#;

/// A site on this machine with a map in a folder.
struct Site {
    server: TestServer,
    _runtime: tokio::runtime::Runtime,
    folder: TempDir,
}

impl Site {
    fn new() -> Self {
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        let server = runtime.block_on(TestServer::start()).expect("a server");
        server.page("/", RESTLESS);
        server.route("/echo", |_| Response::html("echoed"));
        let folder = tempfile::tempdir().expect("a folder");
        let site = Self { server, _runtime: runtime, folder };
        site.write("actions.json", &site.map());
        site
    }

    fn map(&self) -> Value {
        json!({
            "protocol": "actions.json", "version": 1,
            "surface": { "origin": self.server.origin(), "url": self.server.url("/") },
            "tools": [{ "name": "go", "description": "Presses the button.",
                "input_schema": { "type": "object", "additionalProperties": false, "properties": {
                    "word": { "type": "string", "format": "password" } } },
                "workflow": { "version": 1, "expression_language": "jsonata", "steps": [
                    { "id": "press", "primitive": "pointer.click", "args": { "locator": { "selector": "#go" } } },
                    { "id": "done", "primitive": "locator.wait_for", "args": { "locator": { "selector": "#out.done" }, "timeout_ms": 20_000 } },
                    { "id": "read", "primitive": "locator.text_content", "args": { "locator": { "selector": "#out" } } }
                ], "output": "{% $split(steps.read.output.text, ' | ') %}" } }]
        })
    }

    fn write(&self, name: &str, content: &Value) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, format!("{content:#}\n")).expect("a file");
    }

    fn read(&self, name: &str) -> Value {
        let text = fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        serde_json::from_str(&text).expect("JSON")
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn at(&self, name: &str) -> String {
        self.path(name).display().to_string()
    }

    fn record(&self, more: &[&str]) -> Output {
        let map = self.at("actions.json");
        let output = actions(&[&["record", &map, "go", "--case", "pressed"], more].concat());
        assert_eq!(output.status.code(), Some(0), "{}", seen(&output));
        output
    }

    fn test(&self, more: &[&str]) -> (Option<i32>, Value) {
        let output = actions(&[&["test", &self.at(""), "--format", "json"], more].concat());
        let report = serde_json::from_str(&stdout(&output)).unwrap_or_else(|_| panic!("{}", seen(&output)));
        (output.status.code(), report)
    }
}

#[test]
fn every_case_of_the_repository_passes() {
    let output = actions(&["test", "sites", "--format", "json"]);
    let report: Value =
        serde_json::from_str(&stdout(&output)).unwrap_or_else(|_| panic!("{}", seen(&output)));
    let results = report["results"].as_array().expect("results");
    let failed: Vec<&Value> = results.iter().filter(|result| result["status"] != "passed").collect();
    assert_eq!(failed, Vec::<&Value>::new());
    assert_eq!((output.status.code(), &report["ok"]), (Some(0), &json!(true)));
    let maps: std::collections::BTreeSet<&str> =
        results.iter().filter_map(|result| result["map"].as_str()).collect();
    assert_eq!(maps.len(), 7, "every map has cases: {maps:?}");
}

#[test]
fn a_recorded_case_has_its_recording_its_lock_and_what_came_of_it() {
    let site = Site::new();
    let recorded = site.record(&[]);
    let printed = stderr(&recorded);
    assert!(!printed.contains("warning"), "the recording gives what the site gave: {printed}");
    let case = site.read("cases/pressed.json");
    assert_eq!(case["run"], json!({ "tool": "go" }));
    assert_eq!(case["recording"], "recordings/pressed.har");
    let live: Value = serde_json::from_str(&stdout(&recorded)).expect("JSON");
    assert_eq!(case["expect"]["value"], live);
    assert_eq!(case["expect"]["events"], json!({ "press": "ok", "done": "ok", "read": "ok" }));
    let lock = site.read("actions.lock.json");
    assert_eq!(lock["targets"]["/tools/0/workflow/steps/0/args/locator"]["name"], "Go");
    site.server.stop();
    let (exit, report) = site.test(&["--repeat", "3"]);
    assert_eq!((exit, &report["summary"]["passed"]), (Some(0), &json!(1)), "{report:#}");
}

/// Plays one case again and again. `ACTIONS_CASE_REPEATS` sets how often.
#[test]
fn a_case_plays_identically_every_time() {
    let times = std::env::var("ACTIONS_CASE_REPEATS").unwrap_or_else(|_| "12".to_owned());
    let site = Site::new();
    site.record(&["-q"]);
    let (exit, report) = site.test(&["--repeat", &times]);
    assert_eq!((exit, &report["ok"]), (Some(0), &json!(true)), "{report:#}");
}

#[test]
fn a_clock_that_never_moves_stands_still_in_timers_too() {
    let site = Site::new();
    site.server.page(
        "/",
        "<p id=out></p><button id=go>Go</button><script>
         const begun = Date.now();
         go.onclick = () => setTimeout(() => { out.textContent = [Date.now() - begun, performance.now(), new Date().getUTCFullYear()].join(' | '); out.className = 'done' }, 50)</script>",
    );
    site.record(&["-q"]);
    let mut case = site.read("cases/pressed.json");
    case["clock"] = json!({ "at": "2031-05-06T07:08:09Z", "moves": "never" });
    case["expect"] = json!({ "value": ["0", "0", "2031"] });
    site.write("cases/pressed.json", &case);
    let (exit, report) = site.test(&[]);
    assert_eq!(exit, Some(0), "{report:#}");
    case["clock"] = json!({ "at": "2031-05-06T07:08:09Z" });
    case["expect"] = json!({ "value": ["50", "50", "2031"] });
    site.write("cases/pressed.json", &case);
    let (exit, report) = site.test(&[]);
    assert_eq!(exit, Some(0), "{report:#}");
}

#[test]
fn what_came_out_differently_is_shown_and_accepted() {
    let site = Site::new();
    site.record(&["-q"]);
    let mut case = site.read("cases/pressed.json");
    let right = case["expect"]["value"].clone();
    case["expect"]["value"][9] = json!("something else");
    case["description"] = json!("Kept as it is.");
    site.write("cases/pressed.json", &case);
    let (exit, report) = site.test(&[]);
    assert_eq!((exit, &report["ok"]), (Some(4), &json!(false)));
    let difference = &report["results"][0]["difference"];
    assert_eq!(*difference, json!([{ "path": "/value/9", "expected": "something else", "found": "0" }]));

    let accepted = actions(&["test", &site.at("cases/pressed.json"), "--accept"]);
    assert_eq!(accepted.status.code(), Some(0), "{}", seen(&accepted));
    let shown = stdout(&accepted);
    assert!(shown.contains("- \"something else\"") && shown.contains("+ \"0\""), "{shown}");
    assert!(stderr(&accepted).contains("accepted "), "{}", seen(&accepted));
    let after = site.read("cases/pressed.json");
    assert_eq!((&after["expect"]["value"], &after["description"]), (&right, &json!("Kept as it is.")));
    assert_eq!(site.test(&[]).0, Some(0));
}

#[test]
fn a_case_without_expectation_fails_until_one_is_accepted() {
    let site = Site::new();
    site.record(&["-q"]);
    let mut case = site.read("cases/pressed.json");
    let expected = case["expect"]["value"].take();
    case.as_object_mut().expect("an object").remove("expect");
    site.write("cases/pressed.json", &case);
    assert_eq!(site.test(&[]).0, Some(4));
    assert_eq!(site.test(&["--accept"]).0, Some(0));
    assert_eq!(site.read("cases/pressed.json")["expect"]["value"], expected);
}

#[test]
fn a_case_can_ignore_parameters_that_differ_from_load_to_load() {
    let site = Site::new();
    site.record(&["-q"]);
    let mut case = site.read("cases/pressed.json");
    // Another clock and other random numbers: the page asks for another address.
    case["clock"] = json!({ "at": "2026-02-03T04:05:06Z" });
    case["seed"] = json!(7);
    case["expect"] = json!({ "events": { "press": "ok", "done": "ok", "read": "ok" } });
    case["timeout_ms"] = json!(20_000);
    site.write("cases/pressed.json", &case);
    let (exit, report) = site.test(&[]);
    assert_eq!(exit, Some(4), "the recording has no such request: {report:#}");
    case["ignore"] = json!({ "query": ["_", "r"] });
    site.write("cases/pressed.json", &case);
    let (exit, report) = site.test(&[]);
    assert_eq!(exit, Some(0), "{report:#}");
}

#[test]
fn parts_of_a_value_can_be_left_out_of_the_comparison() {
    let site = Site::new();
    site.record(&["-q"]);
    let mut case = site.read("cases/pressed.json");
    case["expect"]["value"][0] = json!("whatever");
    case["expect"]["ignore"] = json!(["/value/0"]);
    site.write("cases/pressed.json", &case);
    assert_eq!(site.test(&[]).0, Some(0));
}

#[test]
fn a_secret_is_not_written_into_the_case() {
    let site = Site::new();
    site.record(&["-q", "--arg", "word=sesame-street"]);
    let text = fs::read_to_string(site.path("cases/pressed.json")).expect("a case");
    assert!(text.contains("[secret]") && !text.contains("sesame"), "{text}");
    assert_eq!(site.test(&[]).0, Some(0));
}

#[test]
fn a_case_that_cannot_be_played_is_invalid_and_the_others_are_played() {
    let site = Site::new();
    site.record(&["-q"]);
    let broken = [
        (
            json!({ "run": { "tool": "go" }, "state": { "projection": "x" } }),
            "one of `run`, `state` and `check`",
        ),
        (json!({ "run": { "tool": "go" }, "recording": "../a.har" }), "below the folder of the map"),
        (json!({ "run": { "tool": "go" }, "recording": "recordings/none.har" }), "none.har"),
        (json!({ "run": { "tool": "go" }, "expects": {} }), "unknown field `expects`"),
        (json!({ "run": { "tool": "fly" }, "recording": "recordings/pressed.har" }), "fly"),
    ];
    for (case, message) in broken {
        site.write("cases/broken.json", &case);
        let (exit, report) = site.test(&[]);
        assert_ne!(exit, Some(0), "{report:#}");
        assert_eq!(report["summary"], json!({ "cases": 2, "passed": 1, "failed": 1, "skipped": 0 }));
        let error = report["results"][0]["error"]["message"].as_str().unwrap_or_default().to_owned();
        assert!(error.contains(message), "{error}");
    }
    site.write("cases/broken.json", &json!({ "run": { "tool": "go" }, "skip": "not yet" }));
    let (exit, report) = site.test(&[]);
    assert_eq!((exit, &report["results"][0]["skipped"]), (Some(0), &json!("not yet")), "{report:#}");
}

#[test]
fn ci_servers_get_junit() {
    let site = Site::new();
    site.record(&["-q"]);
    let mut case = site.read("cases/pressed.json");
    case["expect"]["value"] = json!("<none>");
    site.write("cases/other.json", &case);
    let output = actions(&["test", &site.at("actions.json"), "--format", "junit"]);
    assert_eq!(output.status.code(), Some(4), "{}", seen(&output));
    let text = stdout(&output);
    assert!(text.contains("name=\"pressed\"") && text.contains("<failure"), "{text}");
    assert!(text.contains("&lt;none&gt;"), "{text}");
}

#[test]
fn a_case_needs_its_recording_beside_its_map() {
    let site = Site::new();
    let map = site.at("actions.json");
    let elsewhere = tempfile::tempdir().expect("a folder").path().join("a.har").display().to_string();
    let output = actions(&["record", &map, "go", "--case", "pressed", "--har", &elsewhere]);
    assert_eq!(output.status.code(), Some(2), "{}", seen(&output));
    assert!(stderr(&output).contains("nothing was run"), "{}", seen(&output));
    let output = actions(&["record", &map, "go", "--case", "../up"]);
    assert_eq!(output.status.code(), Some(2), "{}", seen(&output));
    assert!(!site.path("recordings").exists());
}

#[test]
fn options_that_a_case_decides_are_wrong_usage() {
    let output = actions(&["test", "sites/example.com/actions.json", "--url", "https://example.com/"]);
    assert_eq!(output.status.code(), Some(2), "{}", seen(&output));
    let output = actions(&["test", "docs"]);
    assert_eq!(output.status.code(), Some(2), "{}", seen(&output));
}
