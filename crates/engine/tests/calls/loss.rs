//! A call ends when its page or browser is gone.

use std::sync::Arc;

use actions_engine::browser::fake::{FakePage, Performed};
use actions_engine::{EventKind, RunEvent};
use actions_protocol::{ErrorCode, Exit};
use serde_json::{Value, json};

use crate::map::{engine, map, on_clock, page, read, session, tool};

/// A page that is read, then left for another address.
fn moving_tool() -> Value {
    let navigate = json!({ "id": "go", "primitive": "browser.navigate", "args": { "url": "https://fixture.example/next" }, "on_error": "continue" });
    tool(
        "t",
        json!({}),
        json!([read("first"), navigate, read("last")]),
        json!("{% steps.last.output.text %}"),
    )
}

/// Loses the page at the end of the first step, and tells what was done after that.
fn lost_by(lose: impl Fn(&FakePage) + Send + Sync) -> (ErrorCode, Exit, Vec<Performed>) {
    let (clock, page) = page();
    let engine = engine(&map(&[moving_tool()]));
    let session = session(&engine, &clock, &page);
    let watched: Arc<FakePage> = page.clone();
    let watch = |event: &RunEvent| {
        if let EventKind::StepFinished { summary, .. } = &event.kind
            && summary.id.as_str() == "first"
        {
            watched.take_performed();
            lose(&watched);
        }
    };
    let outcome = on_clock(&clock, session.call("t").observer(&watch).run());
    let error = outcome.result.unwrap_err();
    (error.code, error.exit(), page.performed())
}

#[test]
fn a_page_that_crashed_between_two_steps_is_not_brought_back_by_the_next_one() {
    let (code, exit, performed) = lost_by(FakePage::crash);
    assert_eq!((code, exit), (ErrorCode::BrowserLost, Exit::Unavailable));
    assert_eq!(performed, [], "nothing was done in a fresh page");
}

#[test]
fn a_lost_browser_ends_the_call_whatever_on_error_says() {
    let (code, exit, performed) = lost_by(|page| page.lose("killed"));
    assert_eq!((code, exit), (ErrorCode::BrowserLost, Exit::Unavailable));
    assert_eq!(performed, []);
}

#[test]
fn a_call_on_a_page_that_is_gone_already_does_nothing() {
    let (clock, page) = page();
    page.lose("killed");
    let engine = engine(&map(&[moving_tool()]));
    let session = session(&engine, &clock, &page);
    let outcome = on_clock(&clock, session.call("t").run());
    assert_eq!(outcome.result.unwrap_err().code, ErrorCode::BrowserLost);
}
