use super::{actions, seen, stdout};

const MAP: &str = "sites/example.com/actions.json";

#[test]
fn a_map_is_listed_for_people() {
    insta::assert_snapshot!(seen(&actions(&["list", MAP])));
}

#[test]
fn a_map_is_listed_as_json() {
    let listed: serde_json::Value =
        serde_json::from_str(&stdout(&actions(&["list", MAP, "--format", "json"]))).expect("JSON");
    let tools: Vec<_> = listed["tools"].as_array().expect("tools").iter().map(|tool| &tool["name"]).collect();
    assert!(tools.contains(&&serde_json::json!("search.submit")), "{tools:?}");
}

#[test]
fn only_what_applies_to_a_page_is_listed() {
    let all = stdout(&actions(&["list", MAP])).lines().count();
    let some = stdout(&actions(&["list", MAP, "--url", "https://elsewhere.example/"])).lines().count();
    assert!(some < all, "{some} of {all} lines");
}

#[test]
fn a_rejected_map_is_not_listed() {
    let output = actions(&["list", "fixtures/rules/W009/both.json"]);
    assert_eq!(output.status.code(), Some(3), "{}", seen(&output));
    assert_eq!(stdout(&output), "");
}
