//! Transitions bind a tool to the states it starts from, and report the states it leads to.

use std::time::Duration;

use actions_engine::{EventKind, RunEvent};
use serde_json::{Value, json};
use tokio::sync::mpsc;

use crate::map::{engine, map, on_clock, session};
use crate::states::{Shown, reading, shop, state, tallies, undiagnosed};

/// A map with one tool, `next`, and one transition of it.
fn with_transition(transition: &Value) -> Value {
    let mut map = map(&[reading("next")]);
    map["states"] = json!([state("listed", "#list"), state("ended", "#end"), undiagnosed("rested")]);
    let mut whole = json!({ "name": "go_on", "from": "listed", "to": "ended", "tool": "next" });
    whole.as_object_mut().unwrap().extend(transition.as_object().unwrap().clone());
    map["transitions"] = json!([whole]);
    map
}

/// Calls `next` on a page that shows these selectors.
fn call(transition: &Value, shown: &[&str]) -> (Result<Value, Value>, Vec<Value>, Duration) {
    let (clock, page, on_page) = shop();
    on_page.set(shown);
    let engine = engine(&with_transition(transition));
    let session = session(&engine, &clock, &page);
    let (events, mut stream) = mpsc::unbounded_channel::<RunEvent>();
    let outcome = on_clock(&clock, session.call("next").observer(&events).run());
    let mut checked = Vec::new();
    while let Ok(event) = stream.try_recv() {
        if matches!(event.kind, EventKind::StatesChecked { .. }) {
            checked.push(json!(event.kind));
        }
    }
    let result = outcome.result.map_err(|error| json!(error.to_error_object()));
    (result, checked, outcome.duration)
}

#[test]
fn a_tool_runs_where_its_transition_starts_and_reports_where_it_leads() {
    let (result, checked, took) = call(&json!({}), &["#list", "#end"]);
    assert_eq!((result, took), (Ok(json!("Maps")), Duration::ZERO));
    assert_eq!(
        checked,
        [
            json!({
                "event": "states_checked", "moment": "before", "transitions": ["go_on"], "required": ["listed"],
                "current": ["listed"], "ok": true, "waited_ms": 0,
            }),
            json!({
                "event": "states_checked", "moment": "after", "transitions": ["go_on"], "required": ["ended"],
                "current": ["ended"], "ok": true, "waited_ms": 0,
            }),
        ]
    );
}

#[test]
fn a_tool_is_refused_where_none_of_its_transitions_starts() {
    let (result, checked, took) = call(&json!({}), &["#end"]);
    let error = result.unwrap_err();
    assert_eq!(error["code"], "state_mismatch");
    assert_eq!(error["message"], "`next` starts from the state `listed`, which is not current");
    assert_eq!(
        error["evidence"],
        json!({
            "transitions": ["go_on"], "required": ["listed"], "current": ["ended"],
            "url": "https://fixture.example/",
        })
    );
    assert_eq!(error["place"]["pointer"], "/transitions/0");
    assert_eq!((checked.len(), took), (0, Duration::from_secs(3)), "it waits before it refuses");
}

#[test]
fn a_state_that_comes_in_time_lets_the_call_go_on() {
    let (clock, page, shown) = shop();
    let engine = engine(&with_transition(&json!({})));
    let session = session(&engine, &clock, &page);
    let later = comes_after(&clock, &page, &shown, Duration::from_secs(2), &["#list", "#end"]);
    let (outcome, ()) = on_clock(&clock, async { tokio::join!(session.call("next").run(), later) });
    assert_eq!(outcome.result.unwrap(), json!("Maps"));
    assert_eq!(outcome.duration, Duration::from_secs(2));
}

/// Changes what the page shows after a time, and reports the change.
async fn comes_after(
    clock: &crate::auto_clock::AutoClock,
    page: &actions_engine::browser::fake::FakePage,
    shown: &Shown,
    time: Duration,
    selectors: &[&str],
) {
    use actions_engine::browser::Clock;
    clock.sleep_until(clock.now() + time).await;
    shown.set(selectors);
    page.goes_to(&format!("{}/#changed", crate::map::ORIGIN), true);
}

#[test]
fn a_state_without_diagnostics_refuses_nothing_and_is_reported_as_unknown() {
    let (result, checked, took) = call(&json!({ "from": "rested", "to": "rested" }), &[]);
    assert_eq!((result, took), (Ok(json!("Maps")), Duration::ZERO));
    for (event, moment) in checked.iter().zip(["before", "after"]) {
        assert_eq!(
            *event,
            json!({
                "event": "states_checked", "moment": moment, "transitions": ["go_on"], "required": ["rested"],
                "current": [], "unknown": ["rested"], "waited_ms": 0,
            })
        );
    }
    assert_eq!(checked.len(), 2);
}

#[test]
fn a_state_that_is_not_reached_is_reported_and_no_failure() {
    let (clock, page, shown) = shop();
    shown.set(&["#list"]);
    let engine = engine(&with_transition(&json!({})));
    let session = session(&engine, &clock, &page);
    let outcome = on_clock(&clock, session.call("next").run());
    assert_eq!(outcome.result.unwrap(), json!("Maps"));
    let arrival = outcome.arrival.expect("the transition leads somewhere");
    assert_eq!(
        json!(arrival),
        json!({
            "transitions": ["go_on"], "expected": ["ended"], "current": [], "unknown": [], "reached": false,
        })
    );
    assert_eq!(outcome.duration, Duration::from_secs(2), "it waits before it reports that");
}

#[test]
fn a_precondition_that_does_not_hold_refuses_the_call() {
    for condition in ["{% $contains(url, '/search') %}", "{% 'ended' in states %}", "ended"] {
        let (result, ..) = call(&json!({ "preconditions": [condition] }), &["#list"]);
        let error = result.unwrap_err();
        assert_eq!(error["code"], "state_mismatch", "{condition}");
        assert_eq!(error["evidence"]["preconditions"], json!([condition]));
    }
    for condition in ["{% 'listed' in states %}", "listed", "rested", "The caller has seen the list."] {
        let (result, ..) = call(&json!({ "preconditions": condition }), &["#list", "#end"]);
        assert_eq!(result, Ok(json!("Maps")), "{condition}");
    }
}

#[test]
fn a_precondition_that_fails_is_a_defect_of_the_map() {
    let (result, _, took) = call(&json!({ "preconditions": "{% $number('one') = 1 %}" }), &["#list"]);
    let error = result.unwrap_err();
    assert_eq!(error["code"], "expression_evaluation_failed", "{error}");
    assert_eq!((&error["place"]["pointer"], took), (&json!("/transitions/0"), Duration::ZERO));
}

#[test]
fn one_transition_that_starts_here_is_enough() {
    let (clock, page, shown) = shop();
    shown.set(&["#end"]);
    let mut map = with_transition(&json!({}));
    map["transitions"].as_array_mut().unwrap().push(json!({
        "name": "go_back", "from": ["rested", "ended"], "to": "listed", "tool": "next",
    }));
    let engine = engine(&map);
    let session = session(&engine, &clock, &page);
    let outcome = on_clock(&clock, session.call("next").run());
    let arrival = outcome.arrival.expect("the transition leads somewhere");
    assert_eq!(
        (arrival.transitions, arrival.expected),
        (vec!["go_back".to_owned()], vec!["listed".to_owned()])
    );
}

#[test]
fn a_transition_costs_one_question_before_the_call_and_one_after() {
    let (clock, page, shown) = shop();
    shown.set(&["#list", "#end"]);
    let engine = engine(&with_transition(&json!({})));
    let session = session(&engine, &clock, &page);
    page.take_performed();
    on_clock(&clock, session.call("next").run()).result.unwrap();
    assert_eq!(tallies(&page), 2);
}
