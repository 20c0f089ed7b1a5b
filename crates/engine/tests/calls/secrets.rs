//! Secrets appear in no event, trace or error.

use std::path::Path;
use std::sync::Mutex;

use actions_engine::{EventKind, RunEvent, TraceRecorder};
use serde_json::{Value, json};

use crate::map::{engine, map, on_clock, page, session, tool};

const SECRET: &str = "correct horse/battery";

/// Types a secret, reads it back in every way a page gives it back, and fails at the end on request.
fn signing_in() -> Value {
    let properties = json!({
        "account": { "type": "object", "properties": { "user": {}, "password": { "type": "string", "format": "password" } } },
        "last": { "type": "string", "default": "h1" },
    });
    let at = |id: &str, selector: &str| json!({ "id": id, "primitive": "locator.text_content", "args": { "locator": { "selector": selector } } });
    let mut echo = at("echo", "#echo");
    echo["args"]["locator"]["text_contains"] = json!("{% $uppercase(input.account.password) %}");
    let steps = json!([echo, at("shout", "{% steps.echo.output.text %}"), at("last", "{% input.last %}")]);
    tool("sign_in", properties, steps, json!("{% steps.echo.output.text %}"))
}

/// Everything a call tells and writes.
fn run_and_collect(last: &str, folder: &Path) -> (String, Result<Value, String>) {
    let (clock, page) = page();
    page.on_call("locator.text_content", |args| {
        let selector = args["locator"]["selector"].as_str().unwrap_or_default();
        let encoded = "correct+horse%2Fbattery";
        match selector {
            "#absent" => json!({ "error": {
                "code": "target_not_found",
                "message": format!("no element in ?password={encoded}"),
                "evidence": { "url": format!("https://fixture.example/?p={encoded}"), "seen": [SECRET] },
            } }),
            _ => json!({ "ok": { "text": format!("you typed {SECRET}"), "href": format!("/?p={encoded}"), "loud": SECRET.to_uppercase() } }),
        }
    });
    let engine = engine(&map(&[signing_in()]));
    let session = session(&engine, &clock, &page);
    let events = Mutex::new(String::new());
    let watch = |event: &RunEvent| events.lock().unwrap().push_str(&json!(event).to_string());
    let trace = TraceRecorder::create(folder).unwrap();
    let arguments = json!({ "account": { "user": "ada", "password": SECRET }, "last": last });
    let outcome =
        on_clock(&clock, session.call("sign_in").arguments(arguments).observer(&watch).trace(&trace).run());
    trace.finish().unwrap();
    let mut text = events.into_inner().unwrap();
    gather(folder, &mut text);
    let result = outcome.result.map_err(|error| {
        text.push_str(&format!("{error} {:?} {}", error, json!(error.to_error_object())));
        error.code.to_string()
    });
    (text, result)
}

/// The names and the texts of all files.
fn gather(folder: &Path, text: &mut String) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        text.push_str(&path.display().to_string());
        match path.is_dir() {
            true => gather(&path, text),
            false => text.push_str(&String::from_utf8_lossy(&std::fs::read(&path).unwrap())),
        }
    }
}

fn assert_clean(text: &str) {
    for form in [SECRET, &SECRET.to_uppercase(), "correct+horse%2Fbattery", "correct%20horse%2Fbattery"] {
        assert!(!text.contains(form), "{form} in {text}");
    }
    assert!(text.contains("[secret]"));
    assert!(text.contains("ada"), "values that are no secrets are kept");
}

#[test]
fn a_call_that_succeeds_tells_no_secret_and_gives_its_caller_the_value_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let (text, result) = run_and_collect("h1", &folder.path().join("trace"));
    assert_clean(&text);
    assert_eq!(result.unwrap(), json!(format!("you typed {SECRET}")));
}

#[test]
fn a_call_that_fails_tells_no_secret() {
    let folder = tempfile::tempdir().unwrap();
    let (text, result) = run_and_collect("#absent", &folder.path().join("trace"));
    assert_clean(&text);
    assert_eq!(result.unwrap_err(), "target_not_found");
}

#[test]
fn a_secret_that_does_not_fit_its_schema_is_not_shown() {
    let schema = json!({ "pin": { "type": "string", "format": "password", "maxLength": 3 } });
    let engine = engine(&map(&[tool("t", schema, json!([]), json!(1))]));
    let error = engine.plan("t").unwrap().accept(json!({ "pin": "4711-0815" })).unwrap_err();
    let text_of_error = json!(error.to_error_object()).to_string();
    assert!(!text_of_error.contains("4711"), "{text_of_error}");
}

#[test]
fn a_secret_of_a_tool_that_a_step_calls_is_known_before_the_step_is_reported() {
    for pin in [json!(SECRET), json!({ "wrong": SECRET })] {
        let schema = json!({ "pin": { "type": "string", "format": "password" } });
        let inner = tool("inner", schema, json!([]), json!(1));
        let call = json!({ "id": "call", "primitive": "actions.site", "args": { "mode": "call", "action": "inner", "arguments": { "pin": "{% input.word %}" } } });
        let outer = tool("outer", json!({ "word": {} }), json!([call]), json!(1));
        let (clock, page) = page();
        let engine = engine(&map(&[inner, outer]));
        let session = session(&engine, &clock, &page);
        let started = Mutex::new(String::new());
        let watch = |event: &RunEvent| {
            if matches!(event.kind, EventKind::PrimitiveStarted { .. }) {
                started.lock().unwrap().push_str(&json!(event).to_string());
            }
        };
        let arguments = json!({ "word": pin });
        let _ = on_clock(&clock, session.call("outer").arguments(arguments).observer(&watch).run());
        let started = started.into_inner().unwrap();
        assert!(started.contains("[secret]") && !started.contains(SECRET), "{started}");
    }
}

#[test]
fn an_expression_that_fails_on_a_secret_does_not_tell_what_it_made_of_it() {
    let (clock, page) = page();
    let properties = json!({ "token": { "type": "string", "format": "password" } });
    let number = "{% $number($substringAfter(input.token, '-')) %}";
    let step = json!({ "id": "read", "primitive": "locator.text_content", "args": { "locator": { "selector": "h1", "nth": number } } });
    let in_output = tool("output", properties.clone(), json!([]), json!(number));
    let mut in_condition = step.clone();
    in_condition["when"] = json!(number);
    let engine = engine(&map(&[
        tool("args", properties.clone(), json!([step]), json!(null)),
        tool("when", properties, json!([in_condition]), json!(null)),
        in_output,
    ]));
    for name in ["args", "when", "output"] {
        let session = session(&engine, &clock, &page);
        let events = Mutex::new(String::new());
        let watch = |event: &RunEvent| events.lock().unwrap().push_str(&json!(event).to_string());
        let arguments = json!({ "token": "abc-TAIL99" });
        let outcome = on_clock(&clock, session.call(name).arguments(arguments).observer(&watch).run());
        let error = outcome.result.unwrap_err();
        let text_of_error = format!("{} {error:?}", events.into_inner().unwrap());
        assert!(!text_of_error.contains("TAIL99"), "{text_of_error}");
        assert!(error.message.contains("met a value it cannot work with (D3030)"), "{error}");
    }
}
