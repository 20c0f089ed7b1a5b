//! Defaults are filled in where arguments are absent, and nowhere else.

use actions_dictionary::{Dictionary, Schema};
use serde_json::{Value, json};

fn completed(name: &str, mut args: Value) -> Value {
    Dictionary::builtin().get(name).unwrap().apply_defaults(&mut args);
    args
}

#[test]
fn absent_arguments_get_their_defaults() {
    assert_eq!(
        completed("locator.wait_for", json!({"locator": {"selector": "h1"}})),
        json!({"locator": {"selector": "h1"}, "state": "visible", "timeout_ms": 1000})
    );
    assert_eq!(
        completed("pointer.click", json!({"x": 1, "y": 2})),
        json!({"x": 1, "y": 2, "button": "left", "timeout_ms": 2000})
    );
}

#[test]
fn given_arguments_stay_even_when_they_are_null_or_wrong() {
    assert_eq!(
        completed("locator.wait_for", json!({"state": null, "timeout_ms": "soon"})),
        json!({"state": null, "timeout_ms": "soon"})
    );
    assert_eq!(completed("locator.wait_for", json!("text")), json!("text"));
}

#[test]
fn defaults_reach_into_objects_arrays_and_references() {
    let schema = Schema::compile(json!({
        "$defs": {"page": {"type": "object", "properties": {"size": {"default": 20}}}},
        "properties": {
            "page": {"$ref": "#/$defs/page"},
            "rows": {"items": {"properties": {"open": {"default": false}}}}
        },
        "allOf": [{"properties": {"lang": {"default": "en"}}}]
    }))
    .unwrap();
    let mut value = json!({"page": {}, "rows": [{}, {"open": true}, 3]});
    schema.apply_defaults(&mut value);
    assert_eq!(
        value,
        json!({"page": {"size": 20}, "rows": [{"open": false}, {"open": true}, 3], "lang": "en"})
    );
}
