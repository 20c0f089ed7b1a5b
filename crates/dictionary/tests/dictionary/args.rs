//! The messages about arguments that do not fit.

use actions_dictionary::Dictionary;
use serde_json::{Value, json};

fn errors_of(cases: &[(&str, Value)]) -> String {
    let mut out = String::new();
    for (name, args) in cases {
        out.push_str(&format!("{name} {args}\n"));
        let errors = Dictionary::builtin().get(name).unwrap().validate_args(args);
        for error in errors {
            out.push_str(&format!("    [{}] {error}\n", error.keyword));
        }
    }
    out
}

#[test]
fn arguments_that_fit_are_not_remarked_on() {
    let out = errors_of(&[
        ("page.info", json!({})),
        ("locator.wait_for", json!({"locator": {"role": "button", "name": "Save"}, "state": "hidden"})),
        ("pointer.click", json!({"x": 1.5, "y": 0, "modifiers": ["ctrl", "Shift"], "trusted": true})),
        (
            "pointer.click",
            json!({"locator": {"selectors": ["a", "b"], "frame": ["#outer", "#inner"], "nth": 2}}),
        ),
        ("text.insert", json!({"text": "", "mode": "replace", "target": "input"})),
        ("text.insert", json!({"text": "x", "target": {"locator": {"selector": "input"}}})),
        ("text.insert", json!({"text": "x", "target": {"selector": "li", "within": {"text": "Cart"}}})),
    ]);
    assert!(!out.contains("    ["), "{out}");
}

#[test]
fn arguments_that_do_not_fit_are_explained() {
    let out = errors_of(&[
        ("page.info", json!({"url": 1})),
        ("page.info", json!([])),
        ("locator.text_content", json!({})),
        ("locator.text_content", json!({"locator": "h1"})),
        ("locator.text_content", json!({"locator": {}})),
        ("locator.text_content", json!({"locator": {"name": "Save"}})),
        ("locator.text_content", json!({"locator": {"selecter": "h1"}})),
        ("locator.text_content", json!({"locator": {"selector": "h1", "textContains": "x"}})),
        ("locator.text_content", json!({"locator": {"selector": "h1", "xpath": "//h1"}})),
        ("locator.text_content", json!({"locator": {"selector": "h1", "nth": -2, "strict": "yes"}})),
        ("locator.text_content", json!({"locator": {"selector": "h1", "frame": []}})),
        ("locator.text_content", json!({"locator": {"selector": "h1", "frame": 3}})),
        ("locator.text_content", json!({"locator": {"selector": "h1", "within": {"nth": 1}}})),
        ("locator.text_content", json!({"locator": {"selector": "h1", "retarget": {"closest": "li"}}})),
        ("locator.wait_for", json!({"locator": {"selector": "h1"}, "state": "hiden"})),
        ("locator.wait_for", json!({"locator": {"selector": "h1"}, "state": "", "timeout_ms": "1000"})),
        ("locator.wait_for", json!({"locator": {"selector": "h1"}, "timeout_ms": 100_000})),
        ("locator.wait_for", json!({"locator": {"selector": "h1"}, "timeout_ms": 1.5})),
        ("pointer.click", json!({})),
        ("pointer.click", json!({"x": 5})),
        ("pointer.click", json!({"x": 5, "y": "6"})),
        ("pointer.click", json!({"x": 5, "y": 6, "locator": {"selector": "a"}})),
        ("pointer.click", json!({"x": 5, "y": 6, "modifiers": ["Hyper", "Shift", "Shift"]})),
        ("text.insert", json!({"text": 5})),
        ("text.insert", json!({"text": "x", "target": 5})),
        ("text.insert", json!({"text": "x", "target": {"selecter": "input"}})),
        ("text.insert", json!({"text": "x", "target": {"locator": "input"}})),
        ("viewport.scroll", json!({"into_view": true})),
        ("viewport.scroll", json!({"scope": {}, "locator": {"selector": "a"}})),
        ("browser.navigate", json!({})),
        ("browser.navigate", json!({"url": "https://example.com", "reload": true})),
        ("browser.navigate", json!({"reload": false})),
        ("browser.screenshot", json!({"full_page": true, "clip": {"x": 0, "y": 0, "width": 1, "height": 1}})),
        ("pointer.drag", json!({"from": {"x": 1}, "to": {"selector": "li", "x": 2}})),
        ("pointer.drag", json!({"from": [1, 2], "to": {}})),
        ("keyboard.press_gated", json!({"key": "a", "stop": "until", "count": 3})),
        ("keyboard.press_gated", json!({"key": "a", "stop": "sometimes"})),
        ("actions.site", json!({"mode": "call", "arguments": []})),
        ("dom.extract", json!({"extract": [{"id": "a b", "selector": "li", "xpath": "//li"}]})),
        (
            "dom.extract",
            json!({"extract": [{"id": "a", "fields": {"t": {"attribute": "href", "property": "value"}}}]}),
        ),
        (
            "dom.extract",
            json!({"extract": [{"id": "a", "fields": {"t": {"property": "outerHTML", "fields": {}}}}]}),
        ),
        ("form.select_option", json!({"locator": {"selector": "select"}})),
        ("transfer.clear", json!({"label": "a", "scope": "session"})),
    ]);
    insta::assert_snapshot!(out);
}

#[test]
fn a_sentence_never_repeats_the_value() {
    let secret = "hunter2-hunter2";
    let cases = [
        ("locator.wait_for", json!({"locator": secret, "state": secret, "timeout_ms": secret})),
        (
            "pointer.click",
            json!({"x": secret, "y": [secret], "button": secret, "modifiers": [secret, secret]}),
        ),
        ("text.insert", json!({"text": [secret], "mode": secret, "target": [secret]})),
        ("locator.value", json!({"locator": {"frame": {"a": secret}, "role": {"b": secret}}})),
    ];
    for (name, args) in cases {
        let errors = Dictionary::builtin().get(name).unwrap().validate_args(&args);
        assert!(!errors.is_empty(), "{name}");
        for error in errors {
            assert!(!error.to_string().contains("hunter2"), "{error}");
        }
    }
}
