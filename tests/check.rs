//! `actions check`: drift is found and named, and whatever is no drift is not reported as such.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use actions_testserver::{Response, TestServer};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::{actions, seen, stderr, stdout};

/// The page of a small shop.
const SHOP: &str = r#"<!doctype html><html lang="en"><title>Shop</title><main>
  <h1>Tea</h1>
  <form role="search" aria-label="Search the shop"><input type="search" name="q" aria-label="Words"><button id="go">Search</button></form>
  <section aria-label="Basket"><button class="btn-save" name="keep">Save basket</button> <a href="/help">Help</a></section>
  <ul id="teas"><li>Assam</li><li>Yunnan</li></ul></main>"#;

/// A map of it.
fn map(origin: &str) -> Value {
    json!({
        "protocol": "actions.json", "version": 1,
        "surface": { "origin": origin, "url": format!("{origin}/") },
        "tools": [{
            "name": "basket.save", "description": "Saves the basket.",
            "input_schema": { "type": "object", "additionalProperties": false },
            "target": { "selector": "button.btn-save", "role": "button", "name": "Save basket" },
            "workflow": { "version": 1, "expression_language": "jsonata", "steps": [
                { "id": "save", "primitive": "pointer.click", "args": { "locator": { "selector": "button.btn-save" } } }
            ] }
        }],
        "checks": [{
            "id": "search_form", "description": "The search form is there.", "severity": "major",
            "assertions": [
                { "target": { "selector": "form[role='search']" }, "visible": true },
                { "target": { "selector": "#teas > li" }, "min_count": 1, "max_count": 9 },
                { "target": { "selector": "#go" }, "enabled": true, "text_equals": "Search" },
                { "target": { "selector": "input[name='q']" }, "attribute": { "name": "type", "equals": "search" } },
                { "target": { "selector": "#banner" }, "hidden": true },
                { "url_matches": "*/" }
            ],
            "on_fail": { "store_evidence": ["url", "title", "dom_snapshot", "selector_counts"], "contingency": "Ask a person." }
        }]
    })
}

/// A site on this machine with a map in a folder.
struct Site {
    server: TestServer,
    runtime: tokio::runtime::Runtime,
    folder: TempDir,
}

impl Site {
    fn new() -> Self {
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        let server = runtime.block_on(TestServer::start()).expect("a server");
        let folder = tempfile::tempdir().expect("a folder");
        let site = Self { server, runtime, folder };
        site.page(SHOP);
        fs::write(site.path("actions.json"), map(&site.server.origin()).to_string()).expect("a map");
        site
    }

    fn page(&self, html: &str) {
        self.server.page("/", html);
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn check(&self, options: &[&str]) -> Output {
        let map = self.path("actions.json").display().to_string();
        actions(&[&["check", map.as_str(), "--patience", "400ms"], options].concat())
    }

    fn json(&self, options: &[&str]) -> (Option<i32>, Value) {
        let output = self.check(&[&["--format", "json"], options].concat());
        let report = serde_json::from_str(&stdout(&output)).unwrap_or_else(|_| panic!("{}", seen(&output)));
        (output.status.code(), report)
    }

    fn locked(&self) {
        let output = self.check(&["--update-lock"]);
        assert_eq!(output.status.code(), Some(0), "{}", seen(&output));
        assert!(self.path("actions.lock.json").is_file());
    }
}

fn result<'r>(report: &'r Value, id: &str) -> &'r Value {
    let results = report["results"].as_array().expect("results");
    results.iter().find(|result| result["check_id"] == id).unwrap_or_else(|| panic!("no {id} in {report:#}"))
}

fn error(report: &Value, id: &str) -> String {
    let result = result(report, id);
    format!("{} {} {}", result["status"], result["severity"], result["error"]["code"]).replace('"', "")
}

const TARGET: &str = "/tools/0/target";

#[test]
fn every_map_of_the_repository_matches_its_recordings() {
    let output = actions(&["check", "sites", "--replay", "sites", "--format", "json", "--fail-on", "minor"]);
    let report: Value =
        serde_json::from_str(&stdout(&output)).unwrap_or_else(|_| panic!("{}", seen(&output)));
    let failed: Vec<&Value> = report["results"]
        .as_array()
        .expect("results")
        .iter()
        .filter(|result| !matches!(result["status"].as_str(), Some("passed" | "skipped")))
        .collect();
    assert_eq!(failed, Vec::<&Value>::new());
    assert_eq!((output.status.code(), &report["ok"]), (Some(0), &json!(true)));
}

#[test]
fn a_site_that_matches_its_map_passes() {
    let site = Site::new();
    let (exit, report) = site.json(&[]);
    assert_eq!((exit, &report["ok"]), (Some(0), &json!(true)), "{report:#}");
    assert_eq!(report["summary"]["by_status"], json!({ "passed": 3 }));
    let declared = result(&report, "search_form");
    assert_eq!((&declared["kind"], &declared["severity"]), (&json!("declared"), &json!("major")));
    assert_eq!(result(&report, TARGET)["kind"], "target");
}

#[test]
fn a_check_that_fails_exits_with_4_and_keeps_what_it_asks_for() {
    let site = Site::new();
    site.page(&SHOP.replace("<li>Assam</li><li>Yunnan</li>", ""));
    let (exit, report) = site.json(&[]);
    assert_eq!(exit, Some(4), "{report:#}");
    let failed = result(&report, "search_form");
    assert_eq!(error(&report, "search_form"), "failed major target_not_found");
    assert_eq!(failed["error"]["message"], "0 elements match `#teas > li`; 1 to 9 should");
    assert_eq!(failed["error"]["assertion"], "/checks/0/assertions/1");
    assert_eq!(failed["error"]["next_step"], "Ask a person.");
    assert_eq!(failed["evidence"]["title"], "Shop");
    assert!(failed["evidence"]["dom_snapshot"].as_str().expect("text").contains("Save basket"));
    assert_eq!(report["ok"], false);
}

#[test]
fn each_kind_of_assertion_can_fail() {
    let site = Site::new();
    let broken = [
        (SHOP.replace("role=\"search\"", "role=\"search\" hidden"), "target_not_actionable"),
        (SHOP.replace("<button id=\"go\">", "<button id=\"go\" disabled>"), "drift_detected"),
        (SHOP.replace(">Search</button>", ">Find</button>"), "drift_detected"),
        (SHOP.replace("type=\"search\"", "type=\"text\""), "drift_detected"),
        (SHOP.replace("</main>", "<p id=banner>Buy!</p></main>"), "drift_detected"),
    ];
    for (page, code) in broken {
        site.page(&page);
        let (_, report) = site.json(&[]);
        assert_eq!(error(&report, "search_form"), format!("failed major {code}"), "{report:#}");
    }
}

#[test]
fn a_lost_target_is_minor_and_the_lock_finds_what_it_has_become() {
    let site = Site::new();
    site.locked();
    site.page(&SHOP.replace("class=\"btn-save\"", "class=\"css-8f3kq2 primary\""));
    let proposals = site.path("proposals.json");
    let (exit, report) = site.json(&["--propose", &proposals.display().to_string()]);
    assert_eq!(exit, Some(0), "minor drift is below the threshold: {report:#}");
    assert_eq!(error(&report, TARGET), "failed minor target_not_found");
    let proposal = &result(&report, TARGET)["proposals"][0];
    assert_eq!(proposal["selector"], "button[name=\"keep\"]");
    assert_eq!(
        proposal["patch"],
        json!([{ "op": "replace", "path": "/tools/0/target/selector", "value": "button[name=\"keep\"]" }])
    );
    assert_eq!(site.json(&["--fail-on", "minor"]).0, Some(4));

    let before = fs::read_to_string(site.path("actions.json")).expect("the map");
    assert_eq!(before, map(&site.server.origin()).to_string(), "nothing is applied");
    let written: Value =
        serde_json::from_str(&fs::read_to_string(proposals).expect("proposals")).expect("JSON");
    assert_eq!(written.as_array().map(Vec::len), Some(2), "the target and the step: {written:#}");
    assert_eq!(written[0]["map"], site.path("actions.json").display().to_string());
}

#[test]
fn a_selector_that_matches_another_thing_is_identity_drift() {
    let site = Site::new();
    site.locked();
    site.page(&SHOP.replace(">Save basket<", ">Delete basket<").replace("name=\"keep\"", "name=\"drop\""));
    // A word in common is no similarity of meaning.
    let (exit, report) = site.json(&[]);
    assert_eq!(error(&report, TARGET), "failed critical identity_drift", "{report:#}");
    assert_eq!(exit, Some(4));
    assert_eq!(result(&report, TARGET)["proposals"], json!([]));
    assert_eq!(result(&report, TARGET)["evidence"]["locked"]["name"], "Save basket");
}

#[test]
fn nothing_is_proposed_for_what_was_removed() {
    let site = Site::new();
    site.locked();
    site.page(&SHOP.replace("<button class=\"btn-save\" name=\"keep\">Save basket</button>", ""));
    let (_, report) = site.json(&[]);
    assert_eq!(error(&report, TARGET), "failed minor target_not_found");
    assert_eq!(result(&report, TARGET)["proposals"], json!([]));
}

#[test]
fn what_stands_in_front_of_a_page_is_no_drift() {
    let site = Site::new();
    site.locked();
    let walls: [(&str, Response); 6] = [
        ("site_down", Response::html("oops").with_status(500)),
        ("blocked", Response::html("<h1>Forbidden</h1>").with_status(403)),
        (
            "auth_lost",
            Response::html("<form><input name=u><input type=password name=p><button>Sign in</button></form>"),
        ),
        ("blocked", Response::html("<h1>One moment</h1><div class='h-captcha' data-sitekey='1'></div>")),
        ("site_down", Response::html("")),
        (
            "blocked",
            Response::html(format!(
                "{SHOP}<div role=dialog aria-modal=true style='position:fixed;inset:0;background:white'>Cookies? <button>Yes</button></div>"
            )),
        ),
    ];
    for (status, response) in walls {
        site.server.route("/", move |_| response.clone());
        let (exit, report) = site.json(&[]);
        for id in ["search_form", TARGET] {
            assert_eq!(result(&report, id)["status"], status, "{report:#}");
        }
        assert_eq!((exit, &report["ok"]), (Some(6), &json!(false)));
        assert_eq!(report["summary"]["failed"], 0);
    }
    site.server.stop();
    let (exit, report) = site.json(&[]);
    assert_eq!(
        (exit, error(&report, "search_form").as_str()),
        (Some(6), "site_down major navigation_failed")
    );
}

#[test]
fn a_page_that_is_gone_is_drift() {
    let site = Site::new();
    site.server.route("/", |_| Response::html("<h1>Not found</h1>").with_status(404));
    let (exit, report) = site.json(&[]);
    assert_eq!((exit, error(&report, "search_form").as_str()), (Some(4), "failed major navigation_failed"));
}

#[test]
fn a_failure_that_passes_when_looked_at_again_is_none() {
    let site = Site::new();
    let visits = std::sync::atomic::AtomicUsize::new(0);
    site.server.route("/", move |_| match visits.fetch_add(1, std::sync::atomic::Ordering::Relaxed) {
        0 => Response::html("<p>Soon</p>"),
        _ => Response::html(SHOP),
    });
    let (exit, report) = site.json(&["--confirm", "2"]);
    assert_eq!((exit, &result(&report, "search_form")["attempts"]), (Some(0), &json!(2)), "{report:#}");
}

#[test]
fn only_news_is_reported() {
    let site = Site::new();
    let state = site.path("state.json").display().to_string();
    let news = || site.check(&["--state", &state, "--only-changes"]);
    let first = news();
    assert_eq!((stdout(&first).as_str(), first.status.code()), ("", Some(0)), "{}", seen(&first));
    site.page(&SHOP.replace("id=\"teas\"", "id=\"leaves\""));
    let drifted = news();
    assert!(stdout(&drifted).contains("search_form"), "{}", seen(&drifted));
    assert_eq!(drifted.status.code(), Some(4));
    let same = news();
    assert_eq!((stdout(&same).as_str(), same.status.code()), ("", Some(4)), "{}", seen(&same));
    site.page(SHOP);
    let mended = news();
    assert!(stdout(&mended).contains("✓ search_form"), "{}", seen(&mended));
    assert_eq!(mended.status.code(), Some(0));
}

#[test]
fn a_broken_map_affects_no_other() {
    let site = Site::new();
    fs::create_dir_all(site.path("broken")).expect("a folder");
    fs::write(site.path("broken/actions.json"), "{").expect("a map");
    let folder = site.folder.path().display().to_string();
    let output = actions(&["check", &folder, "--format", "json", "--quiet"]);
    let report: Value =
        serde_json::from_str(&stdout(&output)).unwrap_or_else(|_| panic!("{}", seen(&output)));
    assert_eq!(output.status.code(), Some(3), "{}", seen(&output));
    assert_eq!(report["summary"]["by_status"], json!({ "passed": 3, "error": 1 }), "{report:#}");
    assert_eq!(result(&report, "map")["error"]["code"], "manifest_invalid");
}

#[test]
fn the_lock_is_rewritten_only_when_the_site_changes() {
    let site = Site::new();
    site.page(
        &SHOP.replace(
            "<h1>Tea</h1>",
            "<h1>Tea</h1><p id=t></p><script>t.textContent = Math.random()</script>",
        ),
    );
    site.locked();
    let lock = || fs::read_to_string(site.path("actions.lock.json")).expect("the lock");
    let first = lock();
    site.locked();
    assert_eq!(lock(), first);
    assert!(!first.contains("Assam"), "the lock holds no text of the page: {first}");
    fs::write(site.path("actions.lock.json"), "{").expect("a lock");
    let output = site.check(&[]);
    assert_eq!(output.status.code(), Some(3), "{}", seen(&output));
}

#[test]
fn ci_servers_get_junit_and_sarif() {
    let site = Site::new();
    site.page(&SHOP.replace("id=\"teas\"", "id=\"leaves\""));
    let junit = stdout(&site.check(&["--format", "junit"]));
    assert!(junit.contains("<failure") && junit.contains("name=\"search_form\""), "{junit}");
    let sarif: Value = serde_json::from_str(&stdout(&site.check(&["--format", "sarif"]))).expect("SARIF");
    let found = &sarif["runs"][0]["results"][0];
    assert_eq!((&found["ruleId"], &found["level"]), (&json!("target_not_found"), &json!("error")));
    let place = &found["locations"][0]["physicalLocation"];
    assert!(place["region"]["startColumn"].as_u64().expect("a column") > 1, "{found:#}");
}

#[test]
fn a_check_behind_a_login_uses_the_storage_state() {
    let site = Site::new();
    site.server.route("/", |request| match request.header("cookie") {
        Some(cookie) if cookie.contains("sid=1") => Response::html(SHOP),
        _ => Response::html("<form><input type=password><button>Sign in</button></form>"),
    });
    assert_eq!(site.json(&[]).0, Some(6));
    let state = json!({ "cookies": [{ "name": "sid", "value": "1", "domain": "127.0.0.1", "path": "/" }] });
    fs::write(site.path("login.json"), state.to_string()).expect("a file");
    let (exit, report) = site.json(&["--storage-state", &site.path("login.json").display().to_string()]);
    assert_eq!(exit, Some(0), "{report:#}");
}

/// Ends a check at random moments. `ACTIONS_CHECK_KILLS` sets how often.
#[test]
fn a_check_that_is_killed_leaves_the_old_or_the_new_files() {
    let kills = std::env::var("ACTIONS_CHECK_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(8);
    let site = Site::new();
    let map = site.path("actions.json").display().to_string();
    let (state, lock) = (site.path("state.json"), site.path("actions.lock.json"));
    let check = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_actions"));
        command
            .args(["check", &map, "--update-lock", "--patience", "100ms", "--quiet", "--state"])
            .arg(&state);
        command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
        command
    };
    let pages =
        [SHOP.to_owned(), SHOP.replace("Help", "Help and news").replace("Save basket", "Save this basket")];
    let mut locks = Vec::new();
    let mut longest = std::time::Duration::ZERO;
    for page in &pages {
        site.page(page);
        let begun = std::time::Instant::now();
        check().status().expect("the command runs");
        longest = longest.max(begun.elapsed());
        locks.push(fs::read_to_string(&lock).expect("a lock"));
    }
    assert_ne!(locks[0], locks[1], "the two pages have different locks");
    for round in 0..kills {
        site.page(&pages[round % 2]);
        let mut child = check().spawn().expect("the command starts");
        // The clock is as good as dice: the moment falls anywhere between the start and a little after the end.
        let dice = std::time::SystemTime::UNIX_EPOCH.elapsed().map_or(0, |now| now.subsec_micros() % 1_000);
        std::thread::sleep(longest * 11 / 10 * dice / 1_000);
        child.kill().expect("it is ended");
        child.wait().expect("it has ended");
        let there = fs::read_to_string(&lock).expect("a lock");
        assert!(locks.contains(&there), "neither the old nor the new lock: {there}");
        let text = fs::read_to_string(&state).expect("a state");
        let whole: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        assert_eq!(whole["maps"][&map].as_object().map(serde_json::Map::len), Some(3), "{text}");
    }
    let output = site.check(&["--update-lock", "--state", &state.display().to_string()]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    drop(site.runtime);
}

#[test]
fn a_page_that_never_stops_affects_no_other_map() {
    let site = Site::new();
    for name in ["hung", "well"] {
        let url = site.server.url(&format!("/{name}"));
        let mut other = map(&site.server.origin());
        other["surface"]["url"] = json!(url);
        other["checks"][0]["assertions"].as_array_mut().expect("assertions").pop();
        fs::create_dir_all(site.path(name)).expect("a folder");
        fs::write(site.path(name).join("actions.json"), other.to_string()).expect("a map");
        let script = if name == "hung" { "<script>for (;;) {}</script>" } else { "" };
        site.server.page(&format!("/{name}"), SHOP.replace("<h1>", &format!("{script}<h1>")));
    }
    let folder = site.folder.path().display().to_string();
    let output = actions(&["check", &folder, "--format", "json", "--quiet", "--jobs", "2"]);
    let report: Value =
        serde_json::from_str(&stdout(&output)).unwrap_or_else(|_| panic!("{}", seen(&output)));
    assert_eq!(output.status.code(), Some(6), "{}", seen(&output));
    for result in report["results"].as_array().expect("results") {
        let is_hung = result["map"].as_str().is_some_and(|map| map.contains("/hung/"));
        assert_eq!(result["status"], if is_hung { "site_down" } else { "passed" }, "{result:#}");
    }
}

#[test]
fn a_check_takes_the_login_of_a_session() {
    let site = Site::new();
    site.server.route("/", |request| match request.header("cookie") {
        Some(cookie) if cookie.contains("sid=1") => Response::html(SHOP),
        _ => Response::html("<form><input type=password><button>Sign in</button></form>"),
    });
    site.server
        .route("/enter", |_| Response::html("<h1>Welcome</h1>").with_header("set-cookie", "sid=1; Path=/"));
    let (map, enter) = (site.path("actions.json").display().to_string(), site.server.url("/enter"));
    fs::create_dir_all(site.path("run")).expect("a folder");
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_actions"));
        command.args(arguments).env("NO_COLOR", "1").env("XDG_RUNTIME_DIR", site.path("run"));
        command.output().expect("the command starts")
    };
    let started = run(&["session", "start", "shop", &map, "--url", &enter, "--quiet"]);
    assert_eq!(started.status.code(), Some(0), "{}", seen(&started));
    let checked = run(&["check", &map, "--session", "shop", "--quiet"]);
    let stopped = run(&["session", "stop", "shop"]);
    assert_eq!(checked.status.code(), Some(0), "{}", seen(&checked));
    assert_eq!(stopped.status.code(), Some(0), "{}", seen(&stopped));
    let gone = run(&["check", &map, "--session", "shop"]);
    assert_ne!(gone.status.code(), Some(0), "{}", seen(&gone));
}

#[test]
fn states_are_reached_through_tools_that_change_nothing() {
    let site = Site::new();
    let origin = site.server.origin();
    let tool = |name: &str, step: Value| {
        json!({ "name": name, "description": "Goes on.",
            "input_schema": { "type": "object", "additionalProperties": false },
            "workflow": { "version": 1, "expression_language": "jsonata", "steps": [step] } })
    };
    let open = |name: &str, path: &str| {
        let args = json!({ "url": format!("{origin}{path}") });
        tool(name, json!({ "id": "open", "primitive": "browser.navigate", "args": args }))
    };
    let press = |name: &str, selector: &str, state: &str| {
        let args = json!({ "locator": { "selector": selector } });
        let mut press = tool(name, json!({ "id": "press", "primitive": "pointer.click", "args": args }));
        press["target"] = json!({ "selector": selector, "state": state });
        press
    };
    let state = |name: &str, selector: &str| {
        let shown = json!([{ "name": "shown", "target": { "selector": selector }, "visible": true }]);
        json!({ "name": name, "description": "Shown.", "diagnostics": shown })
    };
    let step = |name: &str, from: &str, to: &str, tool: &str| json!({ "name": name, "from": from, "to": to, "tool": tool, "method": "tool_call" });
    let map = json!({
        "protocol": "actions.json", "version": 1,
        "surface": { "origin": origin, "url": format!("{origin}/") },
        "states": [state("shelf", "#one"), state("item", "#two"), state("till", "#three"), state("bought", "#four")],
        "transitions": [
            step("a", "shelf", "item", "item.open"), step("b", "item", "till", "till.open"), step("c", "till", "bought", "buy"),
        ],
        "tools": [open("item.open", "/item"), open("till.open", "/till"), press("buy", "#three", "till"), press("undo", "#four", "bought")],
    });
    fs::write(site.path("actions.json"), map.to_string()).expect("a map");
    site.page("<h1 id=one>Shelf</h1>");
    site.server.page("/item", "<h1 id=two>Item</h1>");
    site.server.page("/till", "<button id=three>Buy</button>");
    let (exit, report) = site.json(&[]);
    assert_eq!(exit, Some(0), "{report:#}");
    assert_eq!(result(&report, "/tools/2/target")["status"], "passed", "two tools lead there: {report:#}");
    let beyond = result(&report, "/tools/3/target");
    assert_eq!(beyond["status"], "skipped", "to buy is not harmless: {beyond:#}");
    assert!(beyond["evidence"]["skipped"].as_str().is_some_and(|why| !why.is_empty()), "{beyond:#}");
    assert!(report["summary"]["covered"].as_f64().is_some_and(|share| share < 1.0));
    assert!(site.server.served().iter().all(|served| served.request.method == "GET"));
}
