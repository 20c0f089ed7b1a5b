//! Calls end at their deadline and say what they waited for.

use std::sync::Arc;
use std::time::Duration;

use actions_engine::browser::fake::{Behaviour, FakePage};
use actions_engine::browser::{Clock, Deadline, SystemClock};
use actions_engine::{CancellationToken, Limits};
use actions_protocol::{ErrorCode, Millis};
use serde_json::{Value, json};

use crate::map::{ORIGIN, engine, map, on_clock, page, read, session, tool};

/// The error of a call that has this long, and how long it really took.
fn ended(steps: Value, timeout: u64, hanging: &[&str]) -> (Value, Duration) {
    let (clock, page) = page();
    for function in hanging {
        page.on_call(function, |_| Behaviour::<Value>::Hangs);
    }
    let engine = engine(&map(&[tool("t", json!({}), steps, json!(null))]));
    let session = session(&engine, &clock, &page);
    let outcome = on_clock(&clock, session.call("t").timeout(Millis(timeout)).run());
    (json!(outcome.result.unwrap_err().to_error_object()), outcome.duration)
}

fn within(duration: Duration, limit: u64) -> bool {
    let limit = Duration::from_millis(limit);
    duration >= limit && duration <= limit + Duration::from_millis(250)
}

#[test]
fn a_page_that_never_answers_ends_the_call_in_time() {
    let (error, duration) = ended(json!([read("first"), read("second")]), 3_000, &["locator.text_content"]);
    assert!(within(duration, 3_000), "{duration:?}");
    assert_eq!(error["code"], "handler_timeout");
    assert_eq!(error["step_id"], "first");
    assert!(error["evidence"]["waiting"].as_str().unwrap().contains("locator.text_content"), "{error}");
}

#[test]
fn a_wait_that_the_end_of_the_call_cuts_short_tells_what_the_page_saw_last() {
    let (clock, page) = page();
    let waiting = clock.clone();
    page.on_call("locator.wait_for", move |args| {
        waiting.pass(Duration::from_millis(args["timeout_ms"].as_u64().unwrap()));
        json!({ "error": { "code": "timeout", "message": "the locator was not visible", "evidence": { "last_seen": { "candidate_count": 0 } } } })
    });
    let wait = json!({ "id": "wait", "primitive": "locator.wait_for", "args": { "locator": { "selector": "#late" }, "timeout_ms": 60_000 } });
    let engine = engine(&map(&[tool("t", json!({}), json!([wait]), json!(null))]));
    let session = session(&engine, &clock, &page);
    let outcome = on_clock(&clock, session.call("t").timeout(Millis(2_000)).run());
    let early = Duration::from_millis(2_000).saturating_sub(outcome.duration);
    assert!(early <= Duration::from_millis(250), "{:?}", outcome.duration);
    let error = json!(outcome.result.unwrap_err().to_error_object());
    assert_eq!((&error["code"], &error["step_id"]), (&json!("handler_timeout"), &json!("wait")), "{error}");
    assert_eq!(error["evidence"]["last_seen"]["candidate_count"], 0);
}

#[test]
fn the_end_of_an_engine_ends_calls_and_turns_that_ask_for_more() {
    let (clock, page) = page();
    page.on_call("locator.text_content", |_| Behaviour::<Value>::Hangs);
    let end = Deadline::after(&clock, Duration::from_secs(3));
    let engine = engine(&map(&[tool("t", json!({}), json!([read("first")]), json!(null))])).ending_at(end);
    let session = session(&engine, &clock, &page);
    let outcome = on_clock(&clock, session.call("t").timeout(Millis(60_000)).run());
    assert!(within(outcome.duration, 3_000), "{:?}", outcome.duration);
    let error = json!(outcome.result.unwrap_err().to_error_object());
    assert_eq!(
        (&error["code"], &error["evidence"]["timeout_ms"]),
        (&json!("handler_timeout"), &json!(3_000))
    );
    assert!(error["message"].as_str().unwrap().starts_with("`t` did not finish within 3s"), "{error}");
    let late = on_clock(&clock, session.call("t").timeout(Millis(60_000)).run());
    assert!(late.duration <= Duration::from_millis(250), "{:?}", late.duration);
}

#[test]
fn an_endless_retry_ends_with_the_call() {
    let mut step = read("first");
    step["retry_until"] = json!("{% false %}");
    step["max_attempts"] = json!(50);
    let (error, duration) = ended(json!([step]), 2_200, &["page.change"]);
    assert!(within(duration, 2_200), "{duration:?}");
    assert_eq!((&error["code"], &error["step_id"]), (&json!("handler_timeout"), &json!("first")), "{error}");
}

#[test]
fn a_long_delay_is_named() {
    let mut step = read("first");
    step["settle_after"] = json!({ "delay_ms": 60_000 });
    let (error, duration) = ended(json!([step]), 500, &[]);
    assert_eq!(duration, Duration::from_millis(500));
    assert_eq!(error["evidence"]["waiting"], "the `settle_after` of 60000 ms");
}

#[test]
fn a_settle_that_outlasts_the_call_ends_with_it() {
    let mut step = read("first");
    step["settle_after"] = json!({ "locator": { "selector": "#late" }, "timeout_ms": 60_000 });
    let (error, duration) = ended(json!([step]), 500, &["locator.wait_for"]);
    assert!(within(duration, 500), "{duration:?}");
    assert_eq!(error["code"], "handler_timeout", "{error}");
}

#[test]
fn the_default_is_the_embedder_s() {
    let (clock, page) = page();
    page.on_call("locator.text_content", |_| Behaviour::<Value>::Hangs);
    let limits = Limits::default().with(|limits| limits.call_timeout = Millis(1_234));
    let engine =
        engine(&map(&[tool("t", json!({}), json!([read("first")]), json!(null))])).with_limits(limits);
    let session = session(&engine, &clock, &page);
    let outcome = on_clock(&clock, session.call("t").run());
    assert!(within(outcome.duration, 1_234), "{:?}", outcome.duration);
    assert_eq!(outcome.result.unwrap_err().evidence["timeout_ms"], 1_234);
}

/// The error of a call of half a second on a page that has nothing the tool needs.
fn needing(target: Value) -> Value {
    let (clock, page) = page();
    page.on_call("page.change", |_| Behaviour::<Value>::Hangs);
    page.on_call("locator.resolve", |_| {
        json!({ "ok": { "candidate_count": 0, "matched_by": "selector", "matched_selector": null, "identity": "none", "elements": [] } })
    });
    page.on_call(
        "locator.tally",
        |_| json!({ "ok": { "counts": [{ "ok": { "attached": 0, "rendered": 0 } }] } }),
    );
    let mut needs = tool("t", json!({}), json!([read("first")]), json!(null));
    needs["target"] = target;
    let mut map = map(&[needs]);
    map["states"] = json!([{ "name": "there", "description": "There.", "diagnostics": [{ "name": "late", "target": { "selector": "#late" } }] }]);
    let session = session(&engine(&map), &clock, &page);
    let outcome = on_clock(&clock, session.call("t").timeout(Millis(500)).run());
    assert!(within(outcome.duration, 500), "{:?}", outcome.duration);
    json!(outcome.result.unwrap_err().to_error_object())
}

#[test]
fn a_call_that_is_over_before_what_it_needs_has_come_says_so() {
    let error = needing(json!({ "selector": "#late" }));
    assert_eq!(error["code"], "handler_timeout", "{error}");
    assert_eq!(error["evidence"]["target"]["selector"], "#late");
    let error = needing(json!({ "state": "there" }));
    assert_eq!(error["code"], "handler_timeout", "{error}");
    assert_eq!(error["evidence"]["required"], "there");
}

/// A tool whose steps call one another without ever waiting for anything.
fn busy_tools() -> Vec<Value> {
    let mut leaf = tool("level0", json!({}), json!([]), json!(null));
    leaf["x_actions"] = json!({ "static_output": 1 });
    let calling = |level: usize| {
        let args = json!({ "mode": "call", "action": format!("level{}", level - 1) });
        let step = json!({ "id": "call", "primitive": "actions.site", "args": args, "for_each": "{% [1..50] %}", "max_items": 50 });
        tool(&format!("level{level}"), json!({}), json!([step]), json!(true))
    };
    [leaf].into_iter().chain((1..=4).map(calling)).collect()
}

#[test]
fn a_call_that_never_waits_ends_in_time_all_the_same() {
    let (clock, page) = page();
    let engine = engine(&map(&busy_tools()));
    let session = session(&engine, &clock, &page);
    // 50 × 50 × 50 × 50 calls that never wait. The clock of the test advances whenever a call yields.
    let outcome = on_clock(&clock, session.call("level4").timeout(Millis(2_000)).run());
    assert!(within(outcome.duration, 2_000), "{:?}", outcome.duration);
    let error = json!(outcome.result.unwrap_err().to_error_object());
    assert_eq!((&error["code"], &error["step_id"]), (&json!("handler_timeout"), &json!("call")));
}

#[test]
fn a_call_that_never_waits_can_be_cancelled_from_the_same_thread() {
    let (clock, page) = page();
    let engine = engine(&map(&busy_tools()));
    let session = session(&engine, &clock, &page);
    let token = CancellationToken::new();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let outcome = runtime.block_on(async {
        let call = session.call("level4").cancelled_by(token.clone()).run();
        tokio::join!(call, async { token.cancel() }).0
    });
    assert_eq!(outcome.result.unwrap_err().code, ErrorCode::Cancelled);
}

#[test]
fn expressions_have_no_more_time_than_the_call() {
    let slow = "{% $sum([1..3000].($a := $; $sum([1..3000].($ * $a)))) %}";
    let page_clock = SystemClock;
    let page = FakePage::new(Arc::new(page_clock));
    page.goes_to(&format!("{ORIGIN}/"), false);
    let engine =
        engine(&map(&[tool("t", json!({}), json!([]), json!([slow, slow, slow, slow, slow, slow]))]));
    let session = engine.on_page(page, Arc::new(page_clock));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let outcome = runtime.block_on(session.call("t").timeout(Millis(300)).run());
    let error = outcome.result.unwrap_err();
    assert_eq!(error.code, ErrorCode::HandlerTimeout, "{error}");
    assert!(outcome.duration < Duration::from_secs(3), "six expressions have a second each otherwise");
}

#[test]
fn a_call_that_waits_for_its_turn_waits_no_longer_than_it_may_take() {
    let (clock, page) = page();
    page.on_call("locator.wait_for", |_| Behaviour::<Value>::Hangs);
    let wait = json!({ "id": "wait", "primitive": "locator.wait_for", "args": { "locator": { "selector": "#late" } } });
    let reads = tool("reads", json!({}), json!([read("r")]), json!(true));
    let engine = engine(&map(&[tool("waits", json!({}), json!([wait]), json!(null)), reads]));
    let session = session(&engine, &clock, &page);
    let second = |timeout: u64| {
        let first = session.call("waits").timeout(Millis(5_000)).run();
        let began = clock.now();
        let second = session.call("reads").timeout(Millis(timeout)).run();
        on_clock(&clock, async {
            let (_, (result, ended)) = tokio::join!(first, async { (second.await.result, clock.now()) });
            (result, ended - began)
        })
    };
    let (result, took) = second(2_000);
    assert_eq!(result.unwrap_err().code, ErrorCode::HandlerTimeout);
    assert_eq!(took, Duration::from_millis(2_000));
    let (result, _) = second(20_000);
    assert_eq!(result.unwrap(), json!(true));
}
