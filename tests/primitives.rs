//! Tests of `actions primitives`.

use super::{actions, seen, stdout};

#[test]
fn the_dictionary_is_listed() {
    let listed = stdout(&actions(&["primitives"]));
    assert!(listed.lines().any(|line| line.starts_with("locator.element_info ")), "{listed}");
}

#[test]
fn a_primitive_is_shown_in_full() {
    insta::assert_snapshot!(seen(&actions(&["primitives", "page.info"])));
}

#[test]
fn the_types_of_a_primitive_are_explained() {
    let shown = stdout(&actions(&["primitives", "pointer.click"]));
    for named in
        ["Type locator: ", "  text_equals ", "Type element: ", "Type navigation: ", "Type identity: "]
    {
        assert!(shown.contains(named), "{named}: {shown}");
    }
}

#[test]
fn a_misspelt_primitive_is_wrong_usage_with_a_hint() {
    insta::assert_snapshot!(seen(&actions(&["primitives", "pointer.clik"])));
}

#[test]
fn the_dictionary_is_available_as_json() {
    let all: serde_json::Value =
        serde_json::from_str(&stdout(&actions(&["primitives", "--format", "json"]))).expect("JSON");
    assert!(all.as_array().expect("an array").len() > 60);
}

/// A page to try primitives on.
fn page() -> (tokio::runtime::Runtime, actions_testserver::TestServer) {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let site = super::root().join("fixtures/sites/example.com");
    let server = runtime.block_on(actions_testserver::TestServer::serving(site)).expect("a server");
    (runtime, server)
}

#[test]
fn a_primitive_is_tried_on_a_page() {
    let (_runtime, server) = page();
    let args = r#"{"locator":{"selector":"h1"}}"#;
    let output = actions(&["primitives", "locator.text_content", "--try", &server.url("/"), "--args", args]);
    assert_eq!(output.status.code(), Some(0), "{}", seen(&output));
    let value: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    assert!(value["text"].as_str().is_some_and(|text| !text.is_empty()), "{value}");
    assert!(super::stderr(&output).contains("1 command in 1 round trip"), "{}", seen(&output));
}

#[test]
fn a_failed_primitive_prints_its_evidence_and_nothing_on_stdout() {
    let (_runtime, server) = page();
    let args = r#"{"locator":{"selector":"h7"},"timeout_ms":300}"#;
    let output = actions(&["primitives", "pointer.click", "--try", &server.url("/"), "--args", args]);
    assert_eq!((output.status.code(), stdout(&output)), (Some(1), String::new()), "{}", seen(&output));
    assert!(super::stderr(&output).contains("target_not_found"), "{}", seen(&output));
}

#[test]
fn a_target_that_is_not_found_by_name_lists_similar_elements() {
    let (_runtime, server) = page();
    let args = r#"{"locator":{"role":"button","name":"Serch"},"timeout_ms":100}"#;
    let output = actions(&["primitives", "pointer.click", "--try", &server.url("/"), "--args", args]);
    let printed = super::stderr(&output);
    assert!(printed.contains("similar: button `Search`"), "{printed}");
}

#[test]
fn a_primitive_that_times_out_reports_its_last_observation() {
    let (_runtime, server) = page();
    // The page is busy almost all the time, so every response is late.
    let busy = "const work = () => { const end = performance.now() + 600; while (performance.now() < end); setTimeout(work); };";
    server.page("/busy", format!("<h1>Maps</h1><script>{busy} onload = work;</script>"));
    let args = r#"{"locator":{"selector":"h7"},"timeout_ms":30000}"#;
    let (url, limit) = (server.url("/busy"), "8s");
    let output = actions(&["primitives", "pointer.click", "--try", &url, "--args", args, "--timeout", limit]);
    let printed = super::stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{printed}");
    assert!(
        printed.contains("error[handler_timeout]") && printed.contains("cause: target_not_found"),
        "{printed}"
    );
}

#[test]
fn try_can_print_one_json_object() {
    let (_runtime, server) = page();
    let output = actions(&["primitives", "page.info", "--try", &server.url("/"), "--format", "json"]);
    let printed: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    assert_eq!((&printed["ok"], &printed["primitive"]), (&true.into(), &"page.info".into()), "{printed}");
    assert_eq!(printed["cost"]["round_trips"], 1, "{printed}");
}

#[test]
fn invalid_arguments_are_refused_before_a_browser_starts() {
    let nowhere = "http://127.0.0.1:9/";
    let output = actions(&["primitives", "pointer.click", "--try", nowhere, "--args", r#"{"locater":{}}"#]);
    insta::assert_snapshot!(seen(&output));
}

#[test]
fn debug_primitives_are_off_unless_allowed() {
    let nowhere = "http://127.0.0.1:9/";
    let args = r#"{"source":"return 1"}"#;
    let output = actions(&["primitives", "debug.run_javascript", "--try", nowhere, "--args", args]);
    insta::assert_snapshot!(seen(&output));
}
