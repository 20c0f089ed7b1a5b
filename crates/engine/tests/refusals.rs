//! What the reference implementation refuses at run time, or not at all, is refused when a map is loaded; the refusal
//! names the step and the field.

use actions_engine::{Engine, LoadError};
use actions_manifest::Severity;
use serde_json::{Value, json};

/// The findings of a map with one workflow.
fn findings(workflow: Value) -> String {
    let map = json!({
        "protocol": "actions.json", "version": 1,
        "tools": [{ "name": "t", "description": "A tool.", "input_schema": { "type": "object" }, "workflow": workflow }],
    });
    match Engine::from_bytes("actions.json", map.to_string().as_bytes()) {
        Ok(_) => "nothing".to_owned(),
        Err(LoadError::Invalid { findings }) => {
            let errors = findings.iter().filter(|finding| finding.severity == Severity::Error);
            let found = errors.map(|finding| format!("{} {}", finding.rule.code, finding.message));
            found.collect::<Vec<_>>().join("\n")
        }
        Err(error) => error.to_string(),
    }
}

/// A workflow of one step with more fields.
fn with_step(fields: Value) -> Value {
    let mut step = json!({ "id": "find", "primitive": "locator.element_info", "args": { "locator": { "selector": "a" } } });
    step.as_object_mut().expect("an object").extend(fields.as_object().cloned().unwrap_or_default());
    json!({ "version": 1, "expression_language": "jsonata", "steps": [step] })
}

#[test]
fn what_the_reference_refuses_is_refused_when_the_map_is_loaded() {
    let retry = json!("{% steps.find.ok %}");
    let both = json!({ "locator": { "selector": "b" }, "delay_ms": 5 });
    let cases: Vec<(&str, Value, &[&str])> = vec![
        ("an unknown field of a step", with_step(json!({ "retry": 3 })), &["find", "retry"]),
        (
            "save_as, which the reference reads and rejects",
            with_step(json!({ "save_as": "x" })),
            &["find", "save_as"],
        ),
        (
            "an unknown field of the workflow",
            json!({ "version": 1, "expression_language": "jsonata", "steps": [], "stepz": [] }),
            &["stepz"],
        ),
        ("another language", json!({ "version": 1, "expression_language": "jq", "steps": [] }), &["jsonata"]),
        (
            "another version",
            json!({ "version": 2, "expression_language": "jsonata", "steps": [] }),
            &["version"],
        ),
        ("for_each without a bound", with_step(json!({ "for_each": "{% input.x %}" })), &["max_items"]),
        (
            "too many items",
            with_step(json!({ "for_each": "{% input.x %}", "max_items": 51 })),
            &["max_items", "51"],
        ),
        (
            "for_each with retry_until",
            with_step(
                json!({ "for_each": "{% input.x %}", "max_items": 1, "retry_until": retry, "max_attempts": 2 }),
            ),
            &["find"],
        ),
        ("retry_until without a bound", with_step(json!({ "retry_until": retry })), &["max_attempts"]),
        (
            "an after_each that changes something",
            with_step(
                json!({ "retry_until": retry, "max_attempts": 2, "after_each": { "primitive": "pointer.click" } }),
            ),
            &["pointer.click"],
        ),
        (
            "an after_each without retry_until",
            with_step(json!({ "after_each": { "primitive": "overlay.menu.hide" } })),
            &["after_each"],
        ),
        ("a settle with two waits", with_step(json!({ "settle_after": both })), &["locator", "delay_ms"]),
        ("a settle with none", with_step(json!({ "settle_after": {} })), &["settle_after"]),
        ("a settle that is not an object", with_step(json!({ "settle_after": 100 })), &["settle_after"]),
        ("a settle of no time", with_step(json!({ "settle_after": { "delay_ms": 0 } })), &["delay_ms"]),
        (
            "a settle by an unknown state",
            with_step(json!({ "settle_after": { "locator": { "selector": "b" }, "state": "gone" } })),
            &["gone"],
        ),
        ("an unknown primitive", with_step(json!({ "primitive": "locator.find" })), &["locator.find"]),
        (
            "an unknown primitive between attempts",
            with_step(
                json!({ "retry_until": retry, "max_attempts": 2, "after_each": { "primitive": "page.poke" } }),
            ),
            &["page.poke"],
        ),
        ("a partial slot", with_step(json!({ "when": "is {% input.x %}" })), &["slot"]),
        ("$eval", with_step(json!({ "when": "{% $eval('1') %}" })), &["$eval"]),
        ("$random", with_step(json!({ "when": "{% $random() > 0 %}" })), &["$random"]),
        ("$now", with_step(json!({ "when": "{% $now() %}" })), &["$now"]),
        ("$millis", with_step(json!({ "when": "{% $millis() %}" })), &["$millis"]),
        ("a step that comes later", with_step(json!({ "when": "{% steps.later.ok %}" })), &["later"]),
        ("an expression that does not parse", with_step(json!({ "when": "{% input. %}" })), &["E"]),
    ];
    let mut wrong = Vec::new();
    for (what, workflow, words) in cases {
        let found = findings(workflow);
        if found == "nothing" || words.iter().any(|word| !found.contains(word)) {
            wrong.push(format!("{what}: {words:?} not in: {found}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_forbidden_function_in_a_text_is_only_text() {
    assert_eq!(findings(with_step(json!({ "when": "{% input.x = '$now()' %}" }))), "nothing");
}

#[test]
fn two_steps_of_one_name_are_refused() {
    let step = json!({ "id": "twice", "primitive": "overlay.menu.hide" });
    let found =
        findings(json!({ "version": 1, "expression_language": "jsonata", "steps": [step.clone(), step] }));
    assert!(found.contains("twice"), "{found}");
}
