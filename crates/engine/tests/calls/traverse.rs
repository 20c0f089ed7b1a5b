//! A traversal repeats the tool of a transition until its convergence ends it.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use actions_engine::{CancellationToken, EventKind, Millis, RunEvent, Session, TraversalOutcome};
use serde_json::{Value, json};

use crate::auto_clock::AutoClock;
use crate::map::{engine, map, on_clock, session, tool};
use crate::states::{Shown, shop, state};

/// A map whose tool `more` scrolls once and returns how many items there are now.
fn with_convergence(convergence: &Value) -> Value {
    let steps = json!([
        { "id": "scroll", "primitive": "viewport.scroll", "args": { "delta_y": 10 } },
        { "id": "count", "primitive": "locator.text_content", "args": { "locator": { "selector": "h1" } } },
    ]);
    let properties = json!({ "wanted": { "type": "integer", "default": 3 } });
    let mut map = map(&[tool("more", properties, steps, json!("{% $number(steps.count.output.text) %}"))]);
    map["states"] = json!([state("listed", "#list")]);
    map["transitions"] = json!([
        { "name": "load_more", "from": "listed", "to": "listed", "tool": "more", "convergence": convergence },
        { "name": "heard", "from": "listed", "to": "listed", "method": "signal" },
        { "name": "once", "from": "listed", "to": "listed", "tool": "more" },
    ]);
    map
}

/// A session on a page whose list grows by one item with each call of `more`.
fn growing(convergence: &Value) -> (AutoClock, Session, Shown) {
    let (clock, page, shown) = shop();
    shown.set(&["#list"]);
    let items = Arc::new(AtomicUsize::new(0));
    page.on_call(
        "locator.text_content",
        move |_| json!({ "ok": { "text": (items.fetch_add(1, Ordering::Relaxed) + 1).to_string() } }),
    );
    let session = session(&engine(&with_convergence(convergence)), &clock, &page);
    (clock, session, shown)
}

fn traverse(convergence: &Value, arguments: Value) -> TraversalOutcome {
    let (clock, session, _) = growing(convergence);
    on_clock(&clock, session.traverse("load_more").arguments(arguments).run())
}

#[test]
fn a_traversal_repeats_its_tool_until_the_condition_holds() {
    let until_wanted = json!({ "complete_when": "{% value >= input.wanted %}", "max_attempts": 9 });
    let outcome = traverse(&until_wanted, json!({}));
    assert_eq!(outcome.result.as_ref().unwrap(), &true);
    assert_eq!(outcome.to_json(), json!({ "converged": true, "attempts": 3, "values": [1, 2, 3] }));
    assert_eq!(traverse(&until_wanted, json!({ "wanted": 1 })).attempts, 1);
}

#[test]
fn the_condition_reads_attempts_values_and_states() {
    for (condition, attempts) in [
        ("attempt = 2", 2),
        ("$sum(values) > 5", 3),
        ("$count(values) = 4", 4),
        ("'listed' in states", 1),
        ("$contains(url, 'fixture')", 1),
    ] {
        let convergence = json!({ "complete_when": format!("{{% {condition} %}}"), "max_attempts": 9 });
        assert_eq!(traverse(&convergence, json!({})).attempts, attempts, "{condition}");
    }
}

#[test]
fn a_traversal_that_does_not_converge_says_so() {
    let outcome = traverse(&json!({ "complete_when": "{% value > 100 %}", "max_attempts": 4 }), json!({}));
    assert_eq!(outcome.to_json(), json!({ "converged": false, "attempts": 4, "values": [1, 2, 3, 4] }));
    assert!(!outcome.result.unwrap());
    let outcome = traverse(&json!({ "max_attempts": 2 }), json!({}));
    assert_eq!(outcome.to_json(), json!({ "converged": false, "attempts": 2, "values": [1, 2] }));
}

#[test]
fn a_transition_that_nothing_ends_is_refused_with_what_to_write() {
    let (clock, session, _) = growing(&json!({ "complete_when": "no_new_result_urls", "max_attempts": 5 }));
    let refused = |transition: &str| {
        let outcome = on_clock(&clock, session.traverse(transition).run());
        assert_eq!(outcome.attempts, 0);
        let error = outcome.result.unwrap_err();
        format!("{}: {error}", error.code)
    };
    insta::assert_snapshot!(["load_more", "heard", "once", "nowhere"].map(refused).join("\n"), @r#"
    unsupported_execution_mode: the transition `load_more` cannot be repeated: `complete_when` is "no_new_result_urls", which the engine cannot decide; write an expression, such as `{% $count(value) = 0 %}`, over `input`, `attempt`, `values`, `value`, `states` and `url`
    unsupported_execution_mode: the transition `heard` cannot be repeated: it names no `tool`
    unsupported_execution_mode: the transition `once` cannot be repeated: it has no `convergence`, so nothing says when repeating ends
    unknown_action: the map has no transition `nowhere`
    "#);
}

#[test]
fn an_attempt_that_fails_ends_the_traversal_and_keeps_what_was_returned() {
    let (clock, session, shown) = growing(&json!({ "max_attempts": 5 }));
    let watch = |event: &RunEvent| {
        if matches!(event.kind, EventKind::TraversalEvaluated { attempt: 2, .. }) {
            shown.set(&[]);
        }
    };
    let outcome = on_clock(&clock, session.traverse("load_more").observer(&watch).run());
    let error = outcome.result.unwrap_err();
    assert_eq!((error.code.as_str(), outcome.attempts), ("state_mismatch", 3));
    assert_eq!(outcome.values, [1, 2]);
    assert_eq!((&error.evidence["transition"], &error.evidence["attempt"]), (&json!("load_more"), &json!(3)));
    assert!(!error.mutated, "scrolling changes nothing");
}

#[test]
fn wrong_arguments_are_refused_before_the_first_attempt() {
    let outcome = traverse(&json!({ "max_attempts": 5 }), json!({ "wanted": "many" }));
    assert_eq!((outcome.result.unwrap_err().code.as_str(), outcome.attempts), ("invalid_input", 0));
}

#[test]
fn all_attempts_share_one_deadline_and_keep_the_pace_of_their_transition() {
    let (clock, page, shown) = shop();
    shown.set(&["#list"]);
    page.on_call("locator.text_content", |_| json!({ "ok": { "text": "1" } }));
    let mut map = with_convergence(&json!({ "max_attempts": 50 }));
    map["transitions"][0]["rate_limit_ms"] = json!(1_000);
    let session = session(&engine(&map), &clock, &page);
    let outcome = on_clock(&clock, session.traverse("load_more").timeout(Millis(4_500)).run());
    let error = outcome.result.unwrap_err();
    assert_eq!((error.code.as_str(), outcome.values.len()), ("handler_timeout", 5), "{error}");
    assert_eq!(outcome.duration, Duration::from_millis(4_500));
}

#[test]
fn a_cancelled_traversal_ends() {
    let (clock, session, _) = growing(&json!({ "max_attempts": 50 }));
    let cancel = CancellationToken::new();
    let watch = |event: &RunEvent| {
        if matches!(event.kind, EventKind::TraversalEvaluated { attempt: 3, .. }) {
            cancel.cancel();
        }
    };
    let traversal = session.traverse("load_more").observer(&watch).cancelled_by(cancel.clone());
    let outcome = on_clock(&clock, traversal.run());
    assert_eq!(outcome.result.unwrap_err().code.as_str(), "cancelled");
    assert_eq!(outcome.values.len(), 3);
}

#[test]
fn no_other_call_runs_between_two_attempts() {
    let (clock, session, _) = growing(&json!({ "max_attempts": 3 }));
    let order = Mutex::new(Vec::new());
    let watch = |event: &RunEvent| {
        if let EventKind::CallStarted { .. } = event.kind {
            order.lock().unwrap().push(event.call_id.to_string());
        }
    };
    let id = |id: &str| actions_engine::CallId::parse(id).unwrap();
    on_clock(&clock, async {
        let traversal = session.traverse("load_more").id(id("walk")).observer(&watch).run();
        let call = session.call("more").id(id("call")).observer(&watch).run();
        tokio::join!(traversal, call)
    });
    assert_eq!(*order.lock().unwrap(), ["walk.1", "walk.2", "walk.3", "call"]);
}
