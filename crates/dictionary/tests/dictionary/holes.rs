//! Arguments in which some positions are slots.

use actions_dictionary::{Dictionary, Schema, SchemaError};
use serde_json::{Value, json};

/// Validates with every string that is a slot as a hole.
fn validate(name: &str, args: Value) -> Vec<String> {
    let primitive = Dictionary::builtin().get(name).unwrap();
    lines(primitive.validate_args_with_holes(&args, &|pointer| is_slot(&args, pointer)))
}

fn is_slot(args: &Value, pointer: &str) -> bool {
    args.pointer(pointer).and_then(Value::as_str).is_some_and(|text| text.starts_with("{%"))
}

fn lines(errors: Vec<SchemaError>) -> Vec<String> {
    errors.iter().map(ToString::to_string).collect()
}

const SLOT: &str = "{% input.x %}";

#[test]
fn a_slot_fits_everywhere() {
    let none: Vec<String> = Vec::new();
    assert_eq!(
        validate("pointer.click", json!({"x": SLOT, "y": SLOT, "button": SLOT, "modifiers": SLOT})),
        none
    );
    assert_eq!(
        validate("pointer.click", json!({"x": SLOT, "y": SLOT, "modifiers": ["Shift", SLOT, SLOT]})),
        none
    );
    assert_eq!(validate("pointer.click", json!({"locator": SLOT})), none);
    assert_eq!(validate("text.insert", json!({"text": SLOT, "target": SLOT, "mode": SLOT})), none);
    assert_eq!(validate("text.insert", json!({"text": SLOT, "target": {"locator": SLOT}})), none);
    assert_eq!(
        validate("text.insert", json!({"text": SLOT, "target": {"selector": "a", "nth": SLOT}})),
        none
    );
    assert_eq!(
        validate(
            "locator.wait_for",
            json!({"locator": {"selector": SLOT, "frame": [SLOT, SLOT]}, "state": SLOT, "timeout_ms": SLOT})
        ),
        none
    );
    assert_eq!(validate("locator.wait_for", json!(SLOT)), none);
}

#[test]
fn a_slot_satisfies_what_is_required_but_nothing_else() {
    assert_eq!(validate("pointer.click", json!({"x": SLOT})), ["needs `x` and `y`, or `locator`"]);
    assert_eq!(validate("locator.text_content", json!({"max_chars": SLOT})), ["needs `locator`"]);
    assert_eq!(
        validate("locator.text_content", json!({"locator": {"nth": SLOT}})),
        [
            "`/locator` needs `selector` or `selectors` or `xpath` or `role` or `text` or `text_equals` or `text_contains` or `text_matches`"
        ]
    );
}

#[test]
fn a_literal_beside_a_slot_is_still_checked() {
    assert_eq!(
        validate("pointer.click", json!({"x": SLOT, "y": "12"})),
        ["`/y` must be a number; a number in quotes is a string"]
    );
    assert_eq!(
        validate("text.insert", json!({"text": "x", "target": {"selector": SLOT, "nth": "2"}})),
        ["`/target/nth` must be a whole number; a number in quotes is a string"]
    );
    assert_eq!(
        validate("locator.text_content", json!({"locator": {"selector": SLOT, "selecter": SLOT}})),
        ["`/locator/selecter` is not a known key; did you mean `selector`?"]
    );
}

#[test]
fn a_slot_that_may_turn_out_absent_excludes_nothing() {
    let none: Vec<String> = Vec::new();
    assert_eq!(validate("pointer.click", json!({"x": 1, "y": 2, "locator": SLOT})), none);
    assert_eq!(validate("locator.value", json!({"locator": {"selector": "a", "xpath": SLOT}})), none);
    assert_eq!(validate("viewport.scroll", json!({"into_view": SLOT})), none);
    assert_eq!(
        validate("viewport.scroll", json!({"into_view": true, "delta_y": SLOT})),
        ["needs `locator` beside `into_view`"]
    );
    assert_eq!(
        validate("pointer.click", json!({"x": 1, "y": 2, "locator": {"selector": SLOT}})),
        ["takes either `x` and `y`, or `locator`, not both"]
    );
    assert_eq!(
        validate("locator.value", json!({"locator": {"selector": "a", "xpath": "//a", "text": SLOT}})),
        ["`/locator` takes only one of `selector` and `xpath`"]
    );
}

#[test]
fn a_slot_leaves_open_which_case_is_meant() {
    let none: Vec<String> = Vec::new();
    assert_eq!(validate("actions.site", json!({"mode": SLOT})), none);
    assert_eq!(validate("actions.site", json!({"mode": "call", "action": SLOT})), none);
    assert_eq!(
        validate("actions.site", json!({"mode": "call", "arguments": {"a": SLOT}})),
        ["needs `action`"]
    );
    assert_eq!(validate("actions.site", json!({"mode": "state_diff"})), ["needs `projection_name`"]);
    assert_eq!(
        validate("pointer.drag", json!({"from": {"x": SLOT, "y": SLOT}, "to": {"selector": SLOT}})),
        none
    );
    assert_eq!(validate("pointer.drag", json!({"from": {"x": SLOT}, "to": SLOT})), ["`/from` needs `y`"]);
}

#[test]
fn values_that_depend_on_a_slot_are_not_judged() {
    let schema = Schema::compile(json!({
        "properties": {
            "list": {"uniqueItems": true, "contains": {"const": 1}},
            "whole": {"enum": [{"a": 1}, {"a": 2}]},
            "few": {"maxProperties": 1},
            "not": {"not": {"properties": {"a": {"type": "string"}}}}
        }
    }))
    .unwrap();
    let value =
        json!({"list": [SLOT, SLOT], "whole": {"a": SLOT}, "few": {"a": 1, "b": SLOT}, "not": {"a": SLOT}});
    assert_eq!(schema.validate(&value).len(), 5);
    assert_eq!(
        lines(schema.validate_with_holes(&value, &|pointer| is_slot(&value, pointer))),
        Vec::<String>::new()
    );
}
