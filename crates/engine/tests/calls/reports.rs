//! What the page reports during a call becomes events of the call.

use std::sync::Mutex;

use actions_engine::browser::{
    ConsoleLevel, ConsoleMessage, FailedRequest, PageEvent, RequestFailure, UncaughtException,
};
use actions_engine::{EventKind, RunEvent};
use serde_json::{Value, json};

use crate::map::{ORIGIN, engine, map, on_clock, page, read, session, tool};

fn reports() -> Vec<PageEvent> {
    let missing = format!("{ORIGIN}/missing?key=hunter22");
    vec![
        PageEvent::Console(ConsoleMessage::new(ConsoleLevel::Warning, "typed hunter22").at("app.js", 12)),
        PageEvent::Exception(UncaughtException::new("Error: hunter22 is wrong")),
        PageEvent::RequestFailed(FailedRequest::new("GET", &missing, "Fetch", RequestFailure::Status(404))),
        PageEvent::ReportsDropped { count: 3 },
    ]
}

/// The events of a call as they are written. The page reports before the call, and again after the first step.
fn events(steps: Value) -> Vec<Value> {
    let (clock, page) = page();
    let input = json!({ "key": { "type": "string", "format": "password" } });
    let engine = engine(&map(&[tool("t", input, steps, json!(null))]));
    let session = session(&engine, &clock, &page);
    page.emit(PageEvent::Console(ConsoleMessage::new(ConsoleLevel::Info, "before the call")));
    let events = Mutex::new(Vec::new());
    let watch = |event: &RunEvent| {
        events.lock().unwrap().push(json!(event.kind));
        if matches!(&event.kind, EventKind::StepFinished { summary, .. } if summary.id.as_str() == "first") {
            reports().into_iter().for_each(|report| page.emit(report));
        }
    };
    let call = session.call("t").arguments(json!({ "key": "hunter22" })).observer(&watch);
    on_clock(&clock, call.run());
    events.into_inner().unwrap()
}

fn reported() -> Vec<Value> {
    vec![
        json!({ "event": "console", "level": "warning", "text": "typed [secret]", "url": "app.js", "line": 12 }),
        json!({ "event": "exception", "text": "Error: [secret] is wrong" }),
        json!({
            "event": "request_failed", "method": "GET", "url": format!("{ORIGIN}/missing?key=[secret]"),
            "resource": "Fetch", "status": 404,
        }),
        json!({ "event": "reports_dropped", "count": 3 }),
    ]
}

fn names(events: &[Value]) -> Vec<&str> {
    events.iter().map(|event| event["event"].as_str().unwrap()).collect()
}

#[test]
fn reports_of_the_page_follow_the_primitive_during_which_they_came() {
    let events = events(json!([read("first"), read("second")]));
    let second = names(&events).iter().rposition(|name| *name == "primitive_finished").unwrap();
    assert_eq!(events[second + 1..second + 5], reported());
    assert!(!json!(events).to_string().contains("before the call"));
}

#[test]
fn the_last_reports_come_before_the_end_of_the_call() {
    let events = events(json!([read("first")]));
    assert_eq!(events[events.len() - 5..events.len() - 1], reported());
    assert_eq!(names(&events).last(), Some(&"call_finished"));
}
