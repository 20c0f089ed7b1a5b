//! What a map offers here and now: states, context, and tools that apply or not.

use actions_engine::Session;
use serde_json::{Value, json};

use crate::auto_clock::AutoClock;
use crate::map::{engine, map, on_clock, session};
use crate::states::{Shown, goes_to, reading, shop, state, tallies, undiagnosed};

fn whole() -> Value {
    let with = |name: &str, target: Value| {
        let mut tool = reading(name);
        tool["target"] = target;
        tool
    };
    let mut map = map(&[
        reading("free"),
        with("here_only", json!({ "url_contains": "/search" })),
        with("in_state", json!({ "state": "ended" })),
        with("on_element", json!({ "selector": "#menu" })),
        reading("next"),
        reading("rest"),
    ]);
    map["states"] = json!([
        state("listed", "#list"),
        state("ended", "#end"),
        undiagnosed("rested"),
        { "name": "searching", "description": "A state.", "diagnostics": [{ "url_contains": "/search" }] },
    ]);
    map["transitions"] = json!([
        {
            "name": "go_on", "from": "listed", "to": "ended", "tool": "next", "rate_limit_ms": 100,
            "preconditions": ["The list was read."], "reveals": ["items"], "do_not_use": "Guessing page numbers.",
            "convergence": { "complete_when": "no_new_items", "max_attempts": 3 },
        },
        { "name": "lie_down", "from": "rested", "to": "rested", "tool": "rest" },
    ]);
    map["context"] = json!([
        { "id": "always", "body": "Always." },
        { "id": "in_list", "title": "List", "body": "In the list.", "load_when": { "states": ["listed"] },
          "available_tools": ["next"], "next_states": ["ended"] },
        { "id": "at_end", "body": "At the end.", "load_when": { "states": ["ended"] } },
        { "id": "resting", "body": "At rest.", "load_when": { "states": ["rested"] } },
        { "id": "by_target", "body": "A menu.", "load_when": { "targets": ["on_element", { "selector": "#other" }] } },
        { "id": "by_task", "body": "Comparing.", "load_when": { "tasks": ["compare"] } },
        { "id": "by_url", "body": "Searching.", "load_when": { "url_contains": "/search" } },
    ]);
    map
}

fn opened() -> (AutoClock, Session, Shown, std::sync::Arc<actions_engine::browser::fake::FakePage>) {
    let (clock, page, shown) = shop();
    let session = session(&engine(&whole()), &clock, &page);
    page.take_performed();
    (clock, session, shown, page)
}

#[test]
fn all_states_take_one_question() {
    let (clock, session, shown, page) = opened();
    shown.set(&["#list", "#end"]);
    let seen = on_clock(&clock, session.current_states(None)).unwrap();
    assert_eq!(
        json!(seen),
        json!({ "url": "https://fixture.example/", "current": ["listed", "ended"], "unknown": ["rested"] })
    );
    assert_eq!(tallies(&page), 1);
}

#[test]
fn states_that_only_the_address_decides_take_no_question() {
    let (clock, page, _) = shop();
    let mut map = whole();
    map["states"].as_array_mut().unwrap().retain(|state| state["name"] == "searching");
    for key in ["transitions", "context"] {
        map[key] = json!([]);
    }
    map["tools"] = json!([]);
    let session = session(&engine(&map), &clock, &page);
    goes_to(&page, "/search");
    assert_eq!(on_clock(&clock, session.current_states(None)).unwrap().current, ["searching"]);
    assert_eq!(tallies(&page), 0);
}

#[test]
fn a_state_that_the_page_cannot_decide_is_unknown_and_hides_no_other() {
    let (clock, session, _, page) = opened();
    page.on_call("locator.tally", |_| {
        json!({ "ok": { "counts": [
            { "error": { "code": "payload_too_large", "message": "too large", "evidence": {} } },
            { "ok": { "attached": 1, "rendered": 0 } },
        ] } })
    });
    let seen = on_clock(&clock, session.current_states(None)).unwrap();
    assert_eq!(
        (seen.current, seen.unknown),
        (vec!["ended".to_owned()], vec!["listed".to_owned(), "rested".to_owned()])
    );
}

/// The ids of the context blocks that apply, and what could not be decided about them.
fn context(shown: &[&str], path: &str, task: Option<&str>) -> Vec<(String, Vec<&'static str>)> {
    let (clock, session, on_page, page) = opened();
    on_page.set(shown);
    goes_to(&page, path);
    let blocks = on_clock(&clock, session.context(task, None)).unwrap();
    blocks.into_iter().map(|block| (block.id, block.undecided)).collect()
}

#[test]
fn context_is_chosen_by_address_state_target_and_task() {
    let ids = |shown: &[&str], path, task| -> Vec<String> {
        context(shown, path, Some(task)).into_iter().map(|(id, _)| id).collect()
    };
    assert_eq!(ids(&[], "/", "read"), ["always", "resting"]);
    assert_eq!(ids(&["#list"], "/", "read"), ["always", "in_list", "resting"]);
    assert_eq!(ids(&["#menu"], "/", "read"), ["always", "resting", "by_target"]);
    assert_eq!(ids(&["#other"], "/", "read"), ["always", "resting", "by_target"]);
    assert_eq!(ids(&[], "/search", "Compare the prices"), ["always", "resting", "by_task", "by_url"]);
}

#[test]
fn what_cannot_be_decided_does_not_hide_documentation() {
    let resting = ("resting".to_owned(), vec!["states"]);
    let by_task = ("by_task".to_owned(), vec!["tasks"]);
    assert_eq!(context(&[], "/", None), [("always".to_owned(), Vec::new()), resting, by_task]);
}

#[test]
fn context_takes_one_question() {
    let (clock, session, _, page) = opened();
    on_clock(&clock, session.context(None, None)).unwrap();
    assert_eq!(tallies(&page), 1);
}

#[test]
fn a_listing_says_what_applies_here_and_why_not() {
    let (clock, session, shown, page) = opened();
    shown.set(&["#list"]);
    let mut listing = on_clock(&clock, session.listing(Some("read"), None)).unwrap();
    assert_eq!(tallies(&page), 1);
    listing.tools.iter_mut().for_each(|tool| tool.input_schema.clear());
    insta::assert_json_snapshot!(listing);
}

#[test]
fn a_listing_elsewhere_says_something_else() {
    let (clock, session, shown, page) = opened();
    shown.set(&["#end", "#menu"]);
    goes_to(&page, "/search");
    let listing = on_clock(&clock, session.listing(None, None)).unwrap();
    let tools: Vec<_> =
        listing.tools.iter().map(|tool| (tool.name.as_str(), tool.why_not.as_deref())).collect();
    assert_eq!(
        tools,
        [
            ("free", None),
            ("here_only", None),
            ("in_state", None),
            ("on_element", None),
            ("next", Some("it starts from `listed`")),
            ("rest", None),
        ]
    );
}
