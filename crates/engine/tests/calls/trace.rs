//! The folder of a trace.

use std::time::Duration;

use actions_engine::browser::fake::Behaviour;
use actions_engine::{Entry, Trace, TraceError, TraceRecorder};
use actions_protocol::Millis;
use serde_json::{Value, json};

use crate::map::{engine, map, on_clock, page, read, session, tool};

#[test]
fn a_trace_holds_the_plan_the_events_and_pictures_of_what_may_change_the_page() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("deep/trace");
    let (clock, page) = page();
    page.on_call("page:shop.buy", |_| json!({ "ok": 1 }));
    let insert = json!({ "id": "type", "primitive": "text.insert", "args": { "target": { "selector": "#absent" }, "text": "ada" } });
    let engine = engine(&map(&[tool("t", json!({}), json!([read("first"), insert]), json!(null))]));
    let session = session(&engine, &clock, &page);
    let trace = TraceRecorder::create(&path).unwrap();
    let outcome = on_clock(&clock, session.call("t").trace(&trace).run());
    assert!(outcome.result.is_err(), "the fake page takes no text");
    trace.finish().unwrap();

    let json =
        |name: &str| -> Value { serde_json::from_slice(&std::fs::read(path.join(name)).unwrap()).unwrap() };
    let about = json("trace.json");
    assert_eq!(about["version"], 1);
    assert!(about["manifest_digest"].as_str().unwrap().starts_with("sha256:"));
    assert_eq!(json("plan.json")["execution"]["steps"][1]["primitive"], "text.insert");
    let lines = std::fs::read_to_string(path.join("events.ndjson")).unwrap();
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[0], json!({ "trace": "actions.json", "version": 1, "minor": 2 }));
    assert_eq!(lines[1]["event"], "call_started");
    assert_eq!(lines.last().unwrap()["event"], "call_finished");
    assert!(lines[1..].iter().all(|line| line["call_id"] == about["call_id"]));
    let pictures: Vec<&str> = lines.iter().filter_map(|line| line["file"].as_str()).collect();
    assert_eq!(
        pictures,
        ["pictures/001-type-before.png", "pictures/002-type-after.png", "pictures/003-call-error.png"]
    );
    let trace = Trace::read(&path).unwrap();
    assert_eq!(trace.events.len(), lines.len() - 1);
    assert!(trace.events.iter().all(|recorded| matches!(recorded.entry, Entry::Event(_))));
    assert!(pictures.iter().all(|picture| trace.read_picture(picture).is_ok()));
}

#[test]
fn a_trace_is_never_written_over_something_else() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("mine.txt"), "mine").unwrap();
    assert!(matches!(TraceRecorder::create(folder.path()), Err(TraceError::NotEmpty(_))));
    let empty = folder.path().join("empty");
    std::fs::create_dir(&empty).unwrap();
    assert!(TraceRecorder::create(&empty).is_ok(), "an empty folder is taken");
}

#[cfg(unix)]
#[test]
fn only_the_owner_can_read_a_trace() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("trace");
    let _trace = TraceRecorder::create(&path).unwrap();
    let mode = |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&path), mode(&path.join("events.ndjson"))), (0o700, 0o600));
}

#[test]
fn a_trace_does_not_hold_up_the_end_of_a_call_nor_hide_what_it_waited_for() {
    use actions_engine::browser::Clock;
    let folder = tempfile::tempdir().unwrap();
    let (clock, page) = page();
    page.set_picture(Behaviour::Hangs);
    page.on_call("action.prepare", |_| Behaviour::<Value>::Hangs);
    let click =
        json!({ "id": "click", "primitive": "pointer.click", "args": { "locator": { "selector": "#go" } } });
    let engine = engine(&map(&[tool("t", json!({}), json!([click]), json!(null))]));
    let session = session(&engine, &clock, &page);
    let trace = TraceRecorder::create(folder.path().join("trace")).unwrap();
    let start = clock.now();
    let outcome = on_clock(&clock, session.call("t").timeout(Millis(3_000)).trace(&trace).run());
    let taken = clock.now() - start;
    assert!(taken <= Duration::from_millis(3_250), "{taken:?}");
    assert!(outcome.duration <= Duration::from_millis(3_025), "{:?}", outcome.duration);
    let error = outcome.result.unwrap_err();
    assert!(error.evidence["waiting"].as_str().unwrap().contains("action.prepare"), "{error:?}");
}
