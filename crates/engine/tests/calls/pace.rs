//! Visible actions keep a minimum distance in time.

use std::time::Duration;

use actions_engine::browser::Clock;
use actions_engine::{Limits, Rules};
use actions_protocol::Millis;
use serde_json::{Value, json};

use crate::map::{engine, map, on_clock, page, read, session, tool};

fn scroll(id: &str) -> Value {
    json!({ "id": id, "primitive": "viewport.scroll", "args": { "delta_y": 10 } })
}

fn scrolling_tool() -> Value {
    tool(
        "results.next_page",
        json!({}),
        json!([scroll("a"), read("r"), scroll("b"), scroll("c")]),
        json!(true),
    )
}

#[test]
fn nothing_is_paced_by_default() {
    let (clock, page) = page();
    let engine = engine(&map(&[scrolling_tool()]));
    let session = session(&engine, &clock, &page);
    assert_eq!(on_clock(&clock, session.call("results.next_page").run()).duration, Duration::ZERO);
}

#[test]
fn human_visible_primitives_start_an_interval_apart() {
    let (clock, page) = page();
    let limits = Limits::default().with(|limits| limits.pace = Millis(100));
    let engine = engine(&map(&[scrolling_tool()])).with_limits(limits);
    let session = session(&engine, &clock, &page);
    let outcome = on_clock(&clock, session.call("results.next_page").run());
    assert_eq!(
        outcome.duration,
        Duration::from_millis(200),
        "three starts, two intervals; reading is not paced"
    );
}

#[test]
fn the_rate_limit_of_a_transition_holds_within_a_call_and_between_two() {
    let (clock, page) = page();
    let mut map = map(&[scrolling_tool()]);
    map["states"] = json!([{ "name": "shown", "description": "Results are shown." }]);
    map["transitions"] = json!([{
        "name": "show_next", "from": "shown", "to": "shown", "tool": "results.next_page", "rate_limit_ms": 1000,
    }]);
    let engine = engine(&map);
    let session = session(&engine, &clock, &page);
    let (first, second) = on_clock(&clock, async {
        let first = session.call("results.next_page").run().await.duration;
        (first, session.call("results.next_page").run().await.duration)
    });
    assert_eq!((first, second), (Duration::from_secs(2), Duration::from_secs(3)));
}

#[test]
fn a_pause_that_outlasts_the_call_ends_with_it() {
    let (clock, page) = page();
    let limits = Limits::default().with(|limits| limits.pace = Millis(5_000));
    let engine = engine(&map(&[scrolling_tool()])).with_limits(limits);
    let session = session(&engine, &clock, &page);
    let outcome = on_clock(&clock, session.call("results.next_page").timeout(Millis(700)).run());
    assert_eq!(outcome.duration, Duration::from_millis(700));
    let error = json!(outcome.result.unwrap_err().to_error_object());
    assert_eq!((&error["code"], &error["step_id"]), (&json!("handler_timeout"), &json!("b")));
}

#[test]
fn the_rate_limit_of_a_transition_holds_for_functions_of_the_page_too() {
    let (clock, page) = page();
    page.on_call("page:app.next", |_| json!({ "ok": 1 }));
    let mut map = map(&[json!({
        "name": "results.next_page", "description": "A tool.",
        "input_schema": { "type": "object", "additionalProperties": false },
        "x_actions": { "handler": "app.next" },
    })]);
    map["states"] = json!([{ "name": "shown", "description": "Results are shown." }]);
    map["transitions"] = json!([{
        "name": "show_next", "from": "shown", "to": "shown", "tool": "results.next_page", "rate_limit_ms": 1000,
    }]);
    let engine = engine(&map).with_policy(Rules::default().allow_handlers(true));
    let session = session(&engine, &clock, &page);
    let took = on_clock(&clock, async {
        let begun = clock.now();
        session.call("results.next_page").run().await.result.unwrap();
        session.call("results.next_page").run().await.result.unwrap();
        clock.now() - begun
    });
    assert_eq!(took, Duration::from_secs(1));
}
