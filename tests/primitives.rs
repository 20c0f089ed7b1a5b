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
fn a_misspelt_primitive_is_wrong_usage_with_a_hint() {
    insta::assert_snapshot!(seen(&actions(&["primitives", "pointer.clik"])));
}

#[test]
fn the_dictionary_is_json_on_demand() {
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
fn a_refusal_shows_what_was_seen_and_leaves_standard_output_empty() {
    let (_runtime, server) = page();
    let args = r#"{"locator":{"selector":"h7"},"timeout_ms":300}"#;
    let output = actions(&["primitives", "pointer.click", "--try", &server.url("/"), "--args", args]);
    assert_eq!((output.status.code(), stdout(&output)), (Some(1), String::new()), "{}", seen(&output));
    assert!(super::stderr(&output).contains("target_not_found"), "{}", seen(&output));
}

#[test]
fn a_primitive_that_runs_out_of_time_tells_what_it_saw_last() {
    let (_runtime, server) = page();
    // Hardly ever at leisure: whatever it answers, it answers late.
    let busy = "const work = () => { const end = performance.now() + 600; while (performance.now() < end); setTimeout(work); };";
    server.page("/busy", format!("<h1>Maps</h1><script>{busy} onload = work;</script>"));
    let args = r#"{"locator":{"selector":"h7"},"timeout_ms":30000}"#;
    let (url, limit) = (server.url("/busy"), "8s");
    let output = actions(&["primitives", "pointer.click", "--try", &url, "--args", args, "--timeout", limit]);
    let told = super::stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains("error[handler_timeout]") && told.contains("cause: target_not_found"), "{told}");
}

#[test]
fn what_was_tried_is_one_json_object_on_demand() {
    let (_runtime, server) = page();
    let output = actions(&["primitives", "page.info", "--try", &server.url("/"), "--format", "json"]);
    let told: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    assert_eq!((&told["ok"], &told["primitive"]), (&true.into(), &"page.info".into()), "{told}");
    assert_eq!(told["cost"]["round_trips"], 1, "{told}");
}

#[test]
fn arguments_that_do_not_fit_are_refused_before_a_browser_starts() {
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
