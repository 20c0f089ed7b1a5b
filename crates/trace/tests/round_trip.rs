//! A trace that was recorded is read back as it was, by this version and across minor versions.
#![allow(clippy::unwrap_used, reason = "a test that cannot continue should panic")]

use std::cell::Cell;
use std::path::Path;

use actions_protocol::{CallId, ErrorCode, ErrorObject, SafeName, StepId, Timestamp, WireCode};
use actions_trace::{
    About, Entry, EventKind, MapDigest, Moment, Picture, ReadError, RequestFailure, RunEvent, Secrets,
    Settled, StepSummary, Trace, TraceRecorder,
};
use serde_json::{Value, json};

fn step(id: &str) -> StepId {
    StepId::parse(id).unwrap()
}

fn about() -> About {
    let maps = vec![MapDigest { name: "actions.json".to_owned(), digest: "sha256:00".to_owned() }];
    let call_id = CallId::parse("call-1").unwrap();
    About::new(
        "0.1.0",
        call_id,
        SafeName::parse("cart.add").unwrap(),
        Timestamp::from_unix_millis(1_000),
        maps,
    )
}

/// One event of every kind, with and without what is optional.
fn kinds() -> Vec<EventKind> {
    let secrets = Secrets::default();
    let text = |text: &str| secrets.mask(text);
    let error = secrets.mask(
        &ErrorObject::new(ErrorCode::TargetNotFound, "no element").with_evidence("selector", json!("#a")),
    );
    let settle =
        |ok: bool| Settled { ok, reason: (!ok).then(|| WireCode::from(ErrorCode::Timeout)), waited_ms: 7 };
    let summary = |ok: bool, skipped: bool| StepSummary {
        id: step("go"),
        primitive: "pointer.click".to_owned(),
        ok,
        skipped,
        duration_ms: 3,
        settle: ok.then(|| settle(true)),
    };
    vec![
        EventKind::CallStarted {
            parent: None,
            tool: SafeName::parse("cart.add").unwrap(),
            input: secrets.mask(&json!({ "copies": 2 })),
            url: text("https://example.com/"),
        },
        EventKind::TargetResolved { evidence: secrets.mask(&json!({ "candidate_count": 1 })) },
        EventKind::StepStarted {
            step_id: step("go"),
            primitive: "pointer.click".to_owned(),
            number: 1,
            of: 2,
        },
        EventKind::PrimitiveStarted {
            step_id: Some(step("go")),
            primitive: "pointer.click".to_owned(),
            args: secrets.mask(&json!({ "locator": { "selector": "#a" } })),
            mutating: true,
            index: Some(0),
        },
        EventKind::PrimitiveFinished {
            step_id: None,
            primitive: "pointer.click".to_owned(),
            output: Some(secrets.mask(&Value::Null)),
            error: None,
            duration_ms: 1,
        },
        EventKind::PrimitiveFinished {
            step_id: Some(step("go")),
            primitive: "pointer.click".to_owned(),
            output: None,
            error: Some(error.clone()),
            duration_ms: 1,
        },
        EventKind::RetryEvaluated { step_id: step("go"), attempt: 3, satisfied: false },
        EventKind::AfterEachFailed {
            step_id: step("go"),
            primitive: "viewport.scroll".to_owned(),
            times: 2,
            error: error.clone(),
        },
        EventKind::Settled { step_id: step("go"), index: None, settle: settle(false) },
        EventKind::StepFinished { summary: summary(true, false), error: None },
        EventKind::StepFinished { summary: summary(false, true), error: Some(error.clone()) },
        EventKind::ItemsLeftOut { step_id: step("go"), count: 4 },
        EventKind::ReplayMiss {
            method: text("GET"),
            url: text("https://example.com/a"),
            resource: "Fetch".to_owned(),
            navigation: false,
            body: None,
            nearest: Some(text("GET https://example.com/b")),
        },
        EventKind::RequestRefused {
            method: text("GET"),
            url: text("https://other.example/"),
            resource: "Document".to_owned(),
            navigation: true,
            by: text("a link"),
        },
        EventKind::DialogAnswered {
            kind: "confirm".to_owned(),
            message: text("Sure?"),
            url: text("https://example.com/"),
            accepted: true,
        },
        EventKind::Console {
            level: "warning".to_owned(),
            text: text("slow"),
            url: Some(text("https://example.com/app.js")),
            line: Some(12),
        },
        EventKind::Console { level: "info".to_owned(), text: text("ready"), url: None, line: None },
        EventKind::Exception { text: text("Error: broken"), url: None, line: None },
        EventKind::RequestFailed {
            method: text("GET"),
            url: text("https://example.com/missing"),
            resource: "Fetch".to_owned(),
            failure: RequestFailure::Status(404),
        },
        EventKind::RequestFailed {
            method: text("POST"),
            url: text("https://example.com/down"),
            resource: "XHR".to_owned(),
            failure: RequestFailure::Error(text("net::ERR_CONNECTION_REFUSED")),
        },
        EventKind::ReportsDropped { count: 30 },
        EventKind::PostconditionChecked {
            projection: "site.cart".to_owned(),
            ok: true,
            looks: 2,
            waited_ms: 40,
        },
        EventKind::Picture {
            subject: "go".to_owned(),
            moment: Moment::Before,
            picture: Picture::Missing(ErrorCode::Timeout.into()),
        },
        EventKind::CallFinished { ok: false, value: None, error: Some(error), duration_ms: 90 },
    ]
}

fn events() -> Vec<RunEvent> {
    let nested = |index: usize| if index.is_multiple_of(2) { Vec::new() } else { vec![step("outer")] };
    let call_id =
        |index: usize| CallId::parse(if index.is_multiple_of(2) { "call-1" } else { "call-1.1" }).unwrap();
    kinds()
        .into_iter()
        .enumerate()
        .map(|(index, kind)| RunEvent { kind, call_id: call_id(index), within: nested(index) })
        .collect()
}

fn record(folder: &Path) -> Vec<RunEvent> {
    let recorder = TraceRecorder::create(folder).unwrap();
    recorder.begin(&about(), &json!({ "tool": "cart.add" }));
    let mut events = events();
    let picture = recorder.keep_picture("go", Moment::After, Ok(b"png".to_vec()));
    let kind = EventKind::Picture { subject: "go".to_owned(), moment: Moment::After, picture };
    events.push(RunEvent { kind, ..events[0].clone() });
    events.iter().for_each(|event| recorder.record(event));
    recorder.finish().unwrap();
    events
}

#[test]
fn a_trace_is_closed_to_other_users_and_never_written_through_a_link() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let open = folder.path().join("open");
    std::fs::create_dir(&open).unwrap();
    std::fs::set_permissions(&open, std::fs::Permissions::from_mode(0o777)).unwrap();
    record(&open);
    assert_eq!(std::fs::metadata(&open).unwrap().permissions().mode() & 0o777, 0o700);
    let (behind, link) = (folder.path().join("behind"), folder.path().join("link"));
    std::fs::create_dir(&behind).unwrap();
    std::os::unix::fs::symlink(&behind, &link).unwrap();
    TraceRecorder::create(&link).unwrap_err();
    assert_eq!(std::fs::read_dir(&behind).unwrap().count(), 0);
}

#[test]
fn a_trace_is_read_back_as_it_was_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let events = record(folder.path());
    let trace = Trace::read(folder.path()).unwrap();
    assert_eq!(trace.about, about());
    assert_eq!(trace.plan, json!({ "tool": "cart.add" }));
    let read: Vec<RunEvent> = trace
        .events
        .iter()
        .map(|recorded| match &recorded.entry {
            Entry::Event(event) => (**event).clone(),
            Entry::Unknown { event, .. } => panic!("{event} is a kind of this version"),
        })
        .collect();
    assert_eq!(read, events);
    let Some(EventKind::Picture { picture: Picture::File(file), .. }) = read.last().map(|event| &event.kind)
    else {
        panic!("the last event is a picture");
    };
    assert_eq!(trace.read_picture(file).unwrap(), b"png");
    for outside in ["trace.json", "pictures/../trace.json", "pictures/..", "/etc/hostname"] {
        assert!(trace.read_picture(outside).is_err(), "{outside}");
    }
}

/// Records a trace, changes the text of one of its files, and reads it.
fn changed(file: &str, change: impl Fn(String) -> String) -> Result<Trace, ReadError> {
    let folder = tempfile::tempdir().unwrap();
    record(folder.path());
    let path = folder.path().join(file);
    std::fs::write(&path, change(std::fs::read_to_string(&path).unwrap())).unwrap();
    Trace::read(folder.path())
}

#[test]
fn a_newer_minor_version_with_new_kinds_and_fields_is_read() {
    let trace = changed("events.ndjson", |text| {
        let text = text.replacen("\"minor\":2", "\"minor\":7", 1);
        let text = text.replacen("\"url\":", "\"mood\":\"sunny\",\"url\":", 1);
        text + "{\"event\":\"eclipse\",\"at_ms\":9,\"call_id\":\"call-1\",\"phase\":\"total\"}\n"
    });
    let events = trace.unwrap().events;
    let Entry::Unknown { event, fields } = &events.last().unwrap().entry else {
        panic!("this kind is unknown");
    };
    assert_eq!((event.as_str(), &fields["phase"]), ("eclipse", &json!("total")));
    assert!(matches!(&events[0].entry, Entry::Event(_)));
}

#[test]
fn a_trace_of_version_1_0_takes_the_call_from_its_description() {
    let trace = changed("events.ndjson", |text| {
        text.replace("\"minor\":2", "\"other\":2").replace(",\"call_id\":\"call-1\"", "")
    });
    let trace = trace.unwrap();
    let Entry::Event(event) = &trace.events[0].entry else { panic!("a kind of this version") };
    assert_eq!(event.call_id, trace.about.call_id);
}

#[test]
fn another_major_version_is_refused() {
    for file in ["events.ndjson", "trace.json"] {
        let error = changed(file, |text| {
            text.replacen("\"version\":1", "\"version\":2", 1).replacen("\"version\": 1", "\"version\": 2", 1)
        });
        assert!(matches!(error, Err(ReadError::Version { found, .. }) if found.major == 2), "{file}");
    }
}

#[test]
fn a_broken_line_is_reported_with_its_number() {
    let broken = [
        ("a line that is cut off", "\"event\":\"step_started\"", "\"event\""),
        ("a known kind without a field", "\"satisfied\":false", "\"mood\":false"),
        ("a field of another type", "\"count\":4", "\"count\":\"many\""),
    ];
    for (what, from, to) in broken {
        let line = Cell::new(0);
        let error = changed("events.ndjson", |text| {
            line.set(text[..text.find(from).unwrap()].lines().count());
            text.replacen(from, to, 1)
        });
        match error {
            Err(ReadError::Broken { line: found, reason, .. }) => {
                assert_eq!(found, line.get(), "{what}: {reason}");
            }
            other => panic!("{what}: {other:?}"),
        }
    }
}

#[test]
fn a_folder_without_a_trace_is_not_read() {
    let folder = tempfile::tempdir().unwrap();
    assert!(matches!(Trace::read(folder.path()), Err(ReadError::Unreadable { .. })));
}
