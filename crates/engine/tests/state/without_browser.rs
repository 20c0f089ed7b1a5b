//! States on the fake driver.

use std::sync::Arc;

use actions_engine::browser::TestClock;
use actions_engine::browser::fake::{Behaviour, FakePage};
use actions_engine::{CallError, Engine, Session, SiteAnswer, SiteRequest};
use actions_protocol::ErrorCode;
use serde_json::{Value, json};

use crate::stage::{map, plain};

/// A page that has nothing to extract, and a session on it.
fn session(projection: Value) -> (Arc<FakePage>, Session) {
    let clock = TestClock::new();
    let page = FakePage::new(Arc::new(clock.clone()));
    page.goes_to("https://fixture.example/", false);
    page.on_call("dom.extract", |_| {
        let seen = json!({ "records": {}, "selector_counts": {}, "missing_required_fields": [],
            "url": "https://fixture.example/", "title": "", "elsewhere": [] });
        Behaviour::Gives(json!({ "ok": seen }))
    });
    let engine = Engine::from_bytes("actions.json", map(&[projection], &[]).to_string().as_bytes());
    (page.clone(), engine.expect("a valid map").on_page(page, Arc::new(clock)))
}

async fn answer(session: &Session, request: Value) -> Result<SiteAnswer, CallError> {
    session.site(SiteRequest::from_arguments(request).expect("a request")).run().await.result
}

#[tokio::test]
async fn a_state_of_a_page_that_is_gone_is_lost_with_its_browser() {
    for lose in [FakePage::crash, |page: &FakePage| page.lose("killed")] {
        let (page, session) = session(plain(json!([])));
        lose(&page);
        let error = answer(&session, json!({ "mode": "state_read", "projection": "it" })).await.unwrap_err();
        assert_eq!(error.code, ErrorCode::BrowserLost, "{error}");
    }
}

#[tokio::test]
async fn markers_count_towards_the_budget_of_the_state() {
    let mut projection = plain(json!([]));
    projection["markers"] = json!([{ "id": "top", "type": "pointer",
        "recipe": [{ "primitive": "locator.element_info", "args": { "locator": { "selector": "{% '#' & $pad('', 600, 'x') %}" } } }] }]);
    let (_, session) = session(projection);
    let read = |max: u64| json!({ "mode": "state_read", "projection": "it", "max_bytes": max });
    let error = answer(&session, read(500)).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::StatePayloadTooLarge, "{error}");
    assert!(error.message.starts_with("the state with markers of "), "{error}");
    assert!(answer(&session, read(1_000)).await.is_ok());
}

#[tokio::test]
async fn a_summary_that_fails_on_a_secret_does_not_tell_it() {
    let mut projection = plain(json!([]));
    let input = json!({ "type": "object", "properties": { "pin": { "type": "string", "writeOnly": true } } });
    projection["summaries"] =
        json!([{ "name": "by_pin", "input_schema": input, "expression": "{% $number('x' & input.pin) %}" }]);
    let (_, session) = session(projection);
    let request = json!({ "mode": "state_summary", "projection": "it", "summary": "by_pin", "arguments": { "pin": "hunter22" } });
    let error = answer(&session, request).await.unwrap_err();
    let text = format!("{error:?}");
    assert!(!text.contains("hunter22"), "{text}");
    assert_eq!(error.code, ErrorCode::StateSummaryFailed);
}

#[tokio::test]
async fn the_map_can_be_listed_while_a_call_runs() {
    let (page, session) = session(plain(json!([])));
    page.on_call("dom.extract", |_| Behaviour::<Value>::Hangs);
    let reading = answer(&session, json!({ "mode": "state_read", "projection": "it" }));
    let listing = answer(&session, json!({ "mode": "list" }));
    tokio::select! {
        biased;
        answer = reading => panic!("it waits: {answer:?}"),
        listing = listing => assert!(matches!(listing, Ok(SiteAnswer::Listing(_)))),
    }
}
