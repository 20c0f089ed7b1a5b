//! Documents that were written to do harm cost an error with a code, and little time.

use std::time::{Duration, Instant};

use actions_engine::{CallError, ErrorCode};
use actions_interop::import::{ImportError, Source, Wishes, import};
use serde_json::{Value, json};

use crate::stage::{engine, imported};

fn awp(actions: Vec<Value>) -> Value {
    json!({ "awp_version": "0.2", "domain": "a.example", "intent": "Harm", "actions": actions })
}

fn awas(actions: Vec<Value>) -> Value {
    json!({ "version": "1.0", "name": "A", "description": "A", "baseUrl": "https://a.example", "actions": actions })
}

fn code(result: Result<actions_interop::import::Imported, ImportError>) -> ErrorCode {
    CallError::from(&result.unwrap_err()).code
}

#[test]
fn a_hundred_thousand_actions_are_refused_in_a_moment() {
    let begun = Instant::now();
    let action = |n: usize| json!({ "id": format!("a{n}"), "endpoint": "/a", "path": "/a", "method": "GET" });
    assert_eq!(
        code(imported(&awp((0..100_000).map(action).collect()), &Wishes::default())),
        ErrorCode::ManifestInvalid
    );
    assert_eq!(
        code(imported(&awas((0..100_000).map(action).collect()), &Wishes::default())),
        ErrorCode::ManifestInvalid
    );
    assert!(begun.elapsed() < Duration::from_secs(60), "{:?}", begun.elapsed());
}

#[test]
fn names_that_collide_after_sanitising_are_refused() {
    let action =
        |id: &str| json!({ "id": id, "name": "A", "description": "A", "endpoint": "/a", "method": "POST" });
    let error = imported(&awp(vec![action("buy now"), action("buy/now")]), &Wishes::default());
    assert_eq!(code(error), ErrorCode::NameCollision);
    let action =
        |id: &str| json!({ "id": id, "name": "A", "description": "A", "path": "/a", "method": "POST" });
    let error = imported(&awas(vec![action("buy now"), action("buy\u{202e}now")]), &Wishes::default());
    assert_eq!(code(error), ErrorCode::NameCollision);
}

#[test]
fn deep_and_broken_json_is_refused() {
    for text in [
        "[".repeat(200_000),
        format!("{}1{}", "{\"a\":".repeat(5_000), "}".repeat(5_000)),
        "{".to_owned(),
        "\u{feff}{}".to_owned(),
    ] {
        let result = import(&Source::file("bomb.json", text.into_bytes()), &Wishes::default());
        assert_eq!(code(result), ErrorCode::ManifestInvalid);
    }
}

#[test]
fn text_of_a_document_is_never_code() {
    let slot = "{% $eval('1') %}";
    let mut document = awp(vec![json!({
        "id": "a", "description": slot, "endpoint": "/a/{x}", "method": "POST",
        "inputs": { slot: { "type": "string", "description": slot, "default": slot }, "x": { "type": "string" } },
    })]);
    document["intent"] = json!(slot);
    document["agent_hints"] = json!({ slot: slot });
    document["errors"] = json!({ slot: { "recovery": slot } });
    // An action whose input has such a name cannot be written, and everything else stays text.
    let imported_ = imported(&document, &Wishes::default()).unwrap();
    engine(&imported_.map);
    let selector = "a\"]{}</style><script>";
    let document = awas(vec![json!({
        "id": selector, "name": selector, "description": "A", "path": "/a", "method": "POST",
        "parameters": [{ "name": selector, "type": "string", "required": true, "description": selector, "selector": "input" }],
    })]);
    let imported = imported(&document, &Wishes::default()).unwrap();
    engine(&imported.map);
}

#[test]
fn entities_that_contain_each_other_end() {
    let mut document = awp(vec![json!({
        "id": "a", "endpoint": "/a", "method": "POST", "inputs": { "x": { "type": "object[a]" } }, "outputs": { "y": "array[b]" },
    })]);
    let fields: Value = (0..100)
        .map(|n| (format!("f{n}"), json!(if n % 2 == 0 { "object[b]" } else { "object[a]" })))
        .collect();
    document["entities"] = json!({ "a": { "fields": fields }, "b": { "fields": { "a": "object[a]" } } });
    let begun = Instant::now();
    let imported = imported(&document, &Wishes::default());
    assert!(begun.elapsed() < Duration::from_secs(30), "{:?}", begun.elapsed());
    engine(&imported.unwrap().map);
}
