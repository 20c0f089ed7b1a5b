//! Tests of `actions list`.

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
fn url_lists_only_what_applies_to_the_page() {
    let all = stdout(&actions(&["list", MAP])).lines().count();
    let some = stdout(&actions(&["list", MAP, "--url", "https://elsewhere.example/"])).lines().count();
    assert!(some < all, "{some} of {all} lines");
    let start = stdout(&actions(&["list", MAP, "--url", "https://example.com/#top"]));
    let cart = stdout(&actions(&["list", MAP, "--url", "https://example.com/cart/"]));
    assert!(start.contains("search_form_visible") && !start.contains("site.cart"), "{start}");
    assert!(!cart.contains("search_form_visible") && cart.contains("site.cart"), "{cart}");
}

#[test]
fn an_empty_map_is_reported_as_empty() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let map = folder.path().join("actions.json");
    std::fs::write(&map, r#"{"protocol": "actions.json", "version": 1, "tools": []}"#).expect("a map");
    assert_eq!(stdout(&actions(&["list", &map.display().to_string()])), "This map declares nothing.\n");
    let there = actions(&["list", &map.display().to_string(), "--url", "https://example.com/"]);
    assert_eq!(stdout(&there), "Nothing in this map applies to the page at this address.\n");
}

#[test]
fn a_rejected_map_is_not_listed() {
    let output = actions(&["list", "fixtures/rules/W009/both.json"]);
    assert_eq!(output.status.code(), Some(3), "{}", seen(&output));
    assert_eq!(stdout(&output), "");
}
