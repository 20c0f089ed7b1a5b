use std::process::Output;

use actions_testserver::LocalSite;
use serde_json::Value;

use super::{actions, root, seen, stderr, stdout};

/// The example site on this machine.
struct Site {
    _runtime: tokio::runtime::Runtime,
    local: LocalSite,
}

impl Site {
    fn new() -> Self {
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        let local = runtime.block_on(LocalSite::serve(&root(), "example.com")).expect("a site");
        Self { _runtime: runtime, local }
    }

    fn map(&self) -> String {
        self.local.map("").display().to_string()
    }

    /// Performs a tool on the page at `path`.
    fn run(&self, path: &str, tool: &str, more: &[&str]) -> Output {
        let (map, url) = (self.map(), self.local.server().url(path));
        let arguments = ["run", &map, tool, "--url", &url, "-q"];
        actions(&arguments.iter().copied().chain(more.iter().copied()).collect::<Vec<_>>())
    }
}

fn json(output: &Output) -> Value {
    serde_json::from_str(&stdout(output)).unwrap_or_else(|error| panic!("{error}: {}", seen(output)))
}

#[test]
fn a_tool_gives_its_value_on_standard_output() {
    let output = Site::new().run("/", "search.submit", &["--input", r#"{"query":"maps"}"#]);
    assert_eq!(output.status.code(), Some(0), "{}", seen(&output));
    assert_eq!(json(&output)["total"], 17);
}

#[test]
fn pages_of_results_are_collected_one_after_the_other() {
    let output = Site::new().run("/search/?q=maps", "results.collect_all", &[]);
    let value = json(&output);
    assert_eq!(
        (value["pages_read"].as_u64(), value["results"].as_array().map(Vec::len)),
        (Some(3), Some(17))
    );
}

#[test]
fn a_change_is_proven_by_its_postcondition() {
    let output = Site::new().run("/", "cart.add", &["--arg", "item_id=night-trams", "--arg", "copies=2"]);
    assert_eq!(json(&output)["copies"], 2, "{}", seen(&output));
}

#[test]
fn a_widget_in_a_frame_is_used() {
    let output = Site::new().run("/item/?id=night-trams", "shipping.estimate", &["--arg", "region=islands"]);
    assert_eq!(json(&output)["region"], "islands", "{}", seen(&output));
}

#[test]
fn steps_in_the_draft_form_are_performed() {
    let output = Site::new().run("/", "newsletter.subscribe", &["--arg", "email=ada@mail.example"]);
    assert_eq!(json(&output)["ok"], true, "{}", seen(&output));
}

#[test]
fn an_item_is_one_line_whatever_happens() {
    let site = Site::new();
    let done = json(&site.run("/", "site.guide", &["--item"]));
    assert_eq!(done["type"], "action_call_output");
    let failed = site.run("/", "item.read", &["--item"]);
    assert_eq!(failed.status.code(), Some(1), "{}", seen(&failed));
    let failed = json(&failed);
    assert_eq!(failed["type"], "action_error");
    assert_eq!(failed["error"]["code"], "state_mismatch");
    assert_eq!(failed["error"]["mutated"], false);
}

#[test]
fn what_is_wrong_with_the_input_is_said_before_anything_is_done() {
    let output = Site::new().run("/", "search.submit", &["--input", r#"{"qurey":"maps"}"#]);
    assert_eq!(output.status.code(), Some(3), "{}", seen(&output));
    assert_eq!(stdout(&output), "");
    assert!(stderr(&output).contains("'qurey' was unexpected"), "{}", seen(&output));
    assert!(!stderr(&output).contains("Chromium"), "no browser is started for it: {}", seen(&output));
}

#[test]
fn an_unknown_tool_is_wrong_usage_and_starts_no_browser() {
    let output = actions(&["run", "sites/example.com/actions.json", "search.sumbit"]);
    assert_eq!(output.status.code(), Some(2), "{}", seen(&output));
    assert!(stderr(&output).contains("did you mean `search.submit`?"), "{}", seen(&output));
}

#[test]
fn a_page_that_cannot_be_loaded_is_not_a_failed_action() {
    let site = Site::new();
    let map = site.map();
    let nowhere = "http://127.0.0.1:1/";
    let output = actions(&["run", &map, "page.text", "--url", nowhere, "--allow-origin", nowhere]);
    assert_eq!(output.status.code(), Some(6), "{}", seen(&output));
}

#[test]
fn a_page_off_the_surface_is_refused_before_it_is_asked_for() {
    let site = Site::new();
    let map = site.map();
    let output = actions(&["run", &map, "page.text", "--url", "http://127.0.0.1:1/"]);
    assert_eq!(output.status.code(), Some(5), "{}", seen(&output));
    assert!(
        stderr(&output).contains("the call would leave the surface for http://127.0.0.1:1/"),
        "{}",
        seen(&output)
    );
    assert!(stderr(&output).contains("--allow-origin"), "{}", seen(&output));
}
