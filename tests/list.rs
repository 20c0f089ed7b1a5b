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

#[test]
fn what_a_map_says_to_agents_is_listed_and_free_text_is_never_executed() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let map = folder.path().join("actions.json");
    let tool = |name: &str, more: serde_json::Value| {
        let mut tool = serde_json::json!({
            "name": name, "description": "Does something.",
            "input_schema": { "type": "object", "additionalProperties": false },
        });
        tool.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        tool
    };
    let text = serde_json::json!({
        "protocol": "actions.json", "version": "0.1.0-working", "surface": "Board",
        "prompt": { "mission": "Keep the board tidy." }, "skill": { "path": "SKILL.md" },
        "observed_at": "2026-01-05", "notes": ["Seen on a phone."],
        "context": [{ "id": "board", "title": "Board", "body": "Cards move to the right." }],
        "x_actions": { "files": [{ "id": "guide", "path": "guide.md", "title": "Guide", "read_when": "first" }] },
        "tools": [
            tool("card.read", serde_json::json!({ "workflow": {
                "version": 1, "expression_language": "jsonata",
                "steps": [{ "id": "look", "primitive": "page.info", "args": {} }],
                "x_state_machine": {
                    "requires_state": "~", "readiness": "{% $eval('1') %}",
                    "postcondition": { "text_contains": "{% input.label %}" },
                },
            } })),
            tool("card.tell", serde_json::json!({ "x_actions": { "execution": { "mode": "steps_only", "steps": [
                { "id": "tell", "type": "emit", "event": "card.changed", "payload": { "id": 1 } },
            ] } } })),
            tool("card.sure", serde_json::json!({ "x_actions": { "execution": { "mode": "steps_only", "steps": [
                { "id": "sure", "type": "assert", "condition": "{% input.id = 1 %}" },
            ] } } })),
        ],
    });
    std::fs::write(&map, text.to_string()).expect("a map");
    let map = map.display().to_string();
    let output = actions(&["list", &map, "--lenient", "--format", "json"]);
    assert_eq!(output.status.code(), Some(0), "{}", seen(&output));
    let listed: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    assert_eq!(listed["prompt"]["mission"], "Keep the board tidy.");
    assert_eq!(listed["skill"]["path"], "SKILL.md");
    assert_eq!(listed["context"][0]["body"], "Cards move to the right.");
    assert_eq!(listed["files"][0]["path"], "guide.md");
    let [read, tell, sure] = [0, 1, 2].map(|number| &listed["tools"][number]);
    assert_eq!((&read["runnable"], &read["x_state_machine"]["requires_state"]), (&true.into(), &"~".into()));
    assert_eq!(tell["runnable"], false);
    assert_eq!(
        tell["why_not"],
        "the step `tell` emits an event, and this engine has no events that a tool can send"
    );
    assert!(sure["why_not"].as_str().is_some_and(|why| why.contains("asserts an expression")), "{sure}");
    // Only the shape of an older map is worth a word.
    let lines: Vec<String> =
        super::stderr(&output).lines().filter(|line| line.contains("warning[")).map(str::to_owned).collect();
    assert!(
        lines.iter().all(|line| line.contains("M002") || line.contains("M004") || line.contains("S002")),
        "{lines:#?}"
    );
    let people = stdout(&actions(&["list", &map, "--lenient"]));
    for shown in ["Keep the board tidy.", "SKILL.md", "guide.md", "Not runnable", "emits an event"] {
        assert!(people.contains(shown), "{shown}: {people}");
    }
}

#[test]
fn transitions_are_listed_with_what_not_to_do() {
    let listed = stdout(&actions(&["list", "sites/mail.example/inbox/actions.json"]));
    let from = listed.find("Transitions\n").expect("a section");
    let section = listed[from..].split("\n\n").next().expect("its lines");
    assert!(section.contains("signed_out → mailbox_ready"), "{section}");
    assert!(section.contains("do not use: Trying passwords"), "{section}");
}

#[test]
fn what_the_lenient_profile_leaves_out_is_reported_by_list_and_to_callers_of_it() {
    let map = "fixtures/maps/lenient/a_tool_nothing_performs.json";
    let text = std::fs::read_to_string(super::root().join(map)).expect("a fixture");
    let name = serde_json::from_str::<serde_json::Value>(&text).expect("JSON")["tools"]
        .as_array()
        .and_then(|tools| tools.iter().find(|tool| tool.get("workflow").is_none()))
        .and_then(|tool| tool["name"].as_str().map(str::to_owned))
        .expect("a tool that nothing performs");
    let warning = format!("the tool `{name}` is left out");
    let listed = actions(&["list", map, "--lenient", "--format", "json"]);
    assert!(super::stderr(&listed).contains(&warning), "{}", seen(&listed));
    assert!(!stdout(&listed).contains(&name), "{}", seen(&listed));
    let called = actions(&["run", map, &name, "--lenient"]);
    assert_eq!(called.status.code(), Some(2), "{}", seen(&called));
    assert!(super::stderr(&called).contains(&warning), "{}", seen(&called));
}
