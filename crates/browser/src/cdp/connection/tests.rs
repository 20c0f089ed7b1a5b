//! Tests of the connection without a browser.

use std::time::Duration;

use actions_protocol::ErrorCode;
use chromiumoxide_cdp::cdp::browser_protocol::browser::GetVersionParams;
use chromiumoxide_cdp::cdp::browser_protocol::page::EventLoadEventFired;
use serde_json::{Value, json};

use super::*;
use crate::cdp::{Event, EventHandler};
use crate::{Deadline, Pending, TestClock};

/// A connection without a browser: the test reads the commands and supplies the responses and events.
struct Wire {
    clock: TestClock,
    connection: Connection,
    commands: mpsc::UnboundedReceiver<Vec<u8>>,
}

impl Wire {
    fn new() -> Self {
        let clock = TestClock::new();
        let (connection, commands) = Connection::new(Arc::new(clock.clone()));
        Self { clock, connection, commands }
    }

    fn deadline(&self) -> Deadline {
        Deadline::after(&self.clock, Duration::from_secs(5))
    }

    fn sent(&mut self) -> Value {
        serde_json::from_slice(&self.commands.try_recv().unwrap()).unwrap()
    }

    fn receives(&self, message: &Value) {
        self.connection.receive(message.to_string().as_bytes());
    }

    fn attaches(&self, above: Option<&str>, session: &str, kind: &str) -> Session {
        let target = json!({ "targetId": session, "type": kind, "url": "", "title": "" });
        let params = json!({ "sessionId": session, "targetInfo": target, "waitingForDebugger": true });
        self.receives(&json!({ "method": "Target.attachedToTarget", "params": params, "sessionId": above }));
        self.connection.tables().sessions.get(session).cloned().unwrap()
    }
}

fn code<T>(answer: Result<T, Error>) -> Option<ErrorCode> {
    answer.err().map(|error| error.code())
}

#[tokio::test]
async fn responses_are_matched_to_calls_in_any_order() {
    let mut wire = Wire::new();
    let browser = wire.connection.browser().unwrap();
    let one = browser.send_raw("A.one", &json!({}), wire.deadline());
    let two = browser.send_raw("A.two", &json!({ "x": 1 }), wire.deadline());
    assert_eq!(wire.sent(), json!({ "id": 1, "method": "A.one", "params": {} }));
    assert_eq!(wire.sent()["params"]["x"], 1);
    wire.receives(&json!({ "id": 2, "result": { "second": true } }));
    wire.receives(&json!({ "id": 1, "error": { "code": -32000, "message": "no" } }));
    assert_eq!(two.await.unwrap(), json!({ "second": true }));
    let Err(Error::Refused { method, code, message }) = one.await else { panic!() };
    assert_eq!((method.as_str(), code, message.as_str()), ("A.one", -32000, "no"));
    assert_eq!(browser.counters().round_trips, 1);
}

#[tokio::test]
async fn a_call_without_a_response_fails_at_its_deadline() {
    let wire = Wire::new();
    let pending = wire.connection.browser().unwrap().send_raw("A.one", &json!({}), wire.deadline());
    wire.clock.advance(Duration::from_secs(5));
    assert_eq!(code(pending.await), Some(ErrorCode::Timeout));
    assert!(wire.connection.tables().waiting.is_empty());
    wire.receives(&json!({ "id": 1, "result": {} }));
}

#[tokio::test]
async fn losing_the_browser_fails_pending_and_later_calls() {
    let wire = Wire::new();
    let browser = wire.connection.browser().unwrap();
    let page = wire.attaches(None, "page", "page");
    let pending = [
        browser.send_raw("A.one", &json!({}), wire.deadline()),
        page.send_raw("A.two", &json!({}), wire.deadline()),
    ];
    wire.connection.lose("it was killed");
    for pending in pending {
        assert_eq!(code(pending.await), Some(ErrorCode::BrowserLost));
    }
    let later = page.send_raw("A.three", &json!({}), wire.deadline());
    assert_eq!(code(later.await), Some(ErrorCode::BrowserLost));
    assert_eq!(code(wire.connection.browser()), Some(ErrorCode::BrowserLost));
}

/// A handler that ignores all events.
struct Idle;

impl EventHandler for Idle {
    fn on_event(&self, _session: &Session, _event: Event<'_>) {}

    fn on_attached(&self, _parent: &Session, _attached: Attached) {}

    fn on_end(&self, _session: &Session, _end: &SessionEnd) {}
}

#[tokio::test]
async fn a_session_that_ends_also_ends_the_sessions_below_it() {
    let wire = Wire::new();
    let page = wire.attaches(None, "page", "page");
    page.set_handler(Arc::new(Idle));
    let frame = wire.attaches(Some("page"), "frame", "iframe");
    let inner = wire.attaches(Some("frame"), "inner", "iframe");
    let other = wire.attaches(None, "other", "page");
    let in_page = page.send_raw("A.one", &json!({}), wire.deadline());
    let in_inner = inner.send_raw("A.two", &json!({}), wire.deadline());
    let in_other = other.send_raw("A.three", &json!({}), wire.deadline());
    let ended =
        |session: &str| json!({ "method": "Target.detachedFromTarget", "params": { "sessionId": session } });
    wire.receives(&ended("frame"));
    assert_eq!(code(in_inner.await), Some(ErrorCode::FrameDetached));
    assert_eq!(
        code(frame.send_raw("A.four", &json!({}), wire.deadline()).await),
        Some(ErrorCode::FrameDetached)
    );
    wire.receives(&ended("page"));
    assert_eq!(code(in_page.await), Some(ErrorCode::PageClosed));
    wire.receives(&json!({ "id": 3, "result": {}, "sessionId": "other" }));
    assert_eq!(in_other.await.unwrap(), json!({}));
}

#[tokio::test]
async fn a_crash_fails_the_calls_of_its_session_but_keeps_the_session() {
    let wire = Wire::new();
    let page = wire.attaches(None, "page", "page");
    let pending = page.send_raw("A.one", &json!({}), wire.deadline());
    wire.receives(&json!({ "method": "Inspector.targetCrashed", "params": {}, "sessionId": "page" }));
    assert_eq!(code(pending.await), Some(ErrorCode::PageCrashed));
    let later = page.send_raw("A.two", &json!({}), wire.deadline());
    wire.receives(&json!({ "id": 2, "result": {}, "sessionId": "page" }));
    assert_eq!(later.await.unwrap(), json!({}));
}

/// A handler that sends a command when its session ends.
struct Late {
    deadline: Deadline,
    sent: std::sync::Mutex<Option<Pending<Value>>>,
}

impl EventHandler for Late {
    fn on_event(&self, _session: &Session, _event: Event<'_>) {}

    fn on_attached(&self, _parent: &Session, _attached: Attached) {}

    fn on_end(&self, session: &Session, _end: &SessionEnd) {
        *self.sent.lock().unwrap() = Some(session.send_raw("A.late", &json!({}), self.deadline));
    }
}

#[tokio::test]
async fn a_call_sent_from_the_crash_handler_fails_too() {
    let wire = Wire::new();
    let page = wire.attaches(None, "page", "page");
    let late = Arc::new(Late { deadline: wire.deadline(), sent: std::sync::Mutex::default() });
    page.set_handler(late.clone());
    wire.receives(&json!({ "method": "Inspector.targetCrashed", "params": {}, "sessionId": "page" }));
    let pending = late.sent.lock().unwrap().take().expect("the handler ran");
    let ended = tokio::time::timeout(Duration::from_secs(20), pending).await;
    assert_eq!(code(ended.expect("the call ends before the timeout")), Some(ErrorCode::PageCrashed));
}

#[tokio::test]
async fn an_unreadable_event_is_dropped_and_the_next_one_is_delivered() {
    let wire = Wire::new();
    let page = wire.attaches(None, "page", "page");
    let mut events = page.subscribe::<EventLoadEventFired>();
    let event =
        |params: Value| json!({ "method": "Page.loadEventFired", "params": params, "sessionId": "page" });
    wire.receives(&event(json!({ "changed": true })));
    wire.receives(&event(json!({ "timestamp": 2.0 })));
    wire.connection.receive(b"this is no message");
    wire.connection.receive(b"{}");
    assert_eq!(*events.recv().await.unwrap().timestamp.inner(), 2.0);
    wire.connection.lose("over");
    assert!(events.recv().await.is_none());
}

#[tokio::test]
async fn an_unreadable_response_is_an_error_that_names_the_method() {
    let wire = Wire::new();
    let pending = wire.connection.browser().unwrap().send(GetVersionParams {}, wire.deadline());
    wire.receives(&json!({ "id": 1, "result": { "product": 1 } }));
    let Err(Error::AnswerUnreadable { method, .. }) = pending.await else { panic!() };
    assert_eq!(method, "Browser.getVersion");
}
