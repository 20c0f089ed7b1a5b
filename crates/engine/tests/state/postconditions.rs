//! Postconditions of tools.

use std::sync::Mutex;
use std::time::Duration;

use actions_engine::browser::TestClock;
use actions_engine::{CallError, EventKind, RunEvent, Session};
use serde_json::{Value, json};

use crate::stage::{Stage, imagined, map, plain, round_trips};

/// A page whose button puts a card into a list.
const PAGE: &str = r#"<ul><li id=a>Sow</li></ul>
<button onclick="document.querySelector('ul').insertAdjacentHTML('beforeend', '<li id=b>Dig</li>')">Add</button>"#;

fn cards() -> Value {
    plain(
        json!([{ "id": "cards", "selector": "li", "fields": { "id": { "attribute": "id" }, "title": {} } }]),
    )
}

/// A tool that clicks, with a postcondition or without.
fn tool(selector: &str, postcondition: Option<Value>) -> Value {
    let mut tool = json!({
        "name": "card.add", "description": "Adds a card.",
        "input_schema": { "type": "object", "properties": { "title": { "type": "string" } }, "additionalProperties": false },
        "workflow": { "version": 1, "expression_language": "jsonata",
            "steps": [{ "id": "click", "primitive": "pointer.click", "args": { "locator": { "selector": selector } } }],
            "output": { "added": true } },
    });
    if let Some(postcondition) = postcondition {
        tool["postcondition"] = postcondition;
    }
    tool
}

/// A tool that does nothing, for pages that do something by themselves.
fn idle(postcondition: Value) -> Value {
    let mut tool = tool("button", Some(postcondition));
    tool["workflow"]["steps"] = json!([]);
    tool
}

fn verify(expression: &str, timeout_ms: u64) -> Value {
    json!({ "projection": "it", "timeout_ms": timeout_ms, "verify": { "language": "jsonata", "expression": expression } })
}

async fn call(session: &Session, arguments: Value) -> Result<Value, CallError> {
    session.call("card.add").arguments(arguments).run().await.result
}

#[tokio::test]
async fn what_a_tool_promises_may_come_true_a_moment_later() {
    let promise = verify("{% state.cards[-1].title = input.title %}", 5_000);
    let mut readings = 0;
    let session = imagined(&map(&[cards()], &[idle(promise)]), &TestClock::new(), move || {
        readings += 1;
        // Once before the call, twice after it in vain.
        let last = if readings > 3 { "Dig" } else { "Sow" };
        json!({ "cards": [{ "id": "a", "title": last }] })
    });
    let looks = Mutex::new(None);
    let watch = |event: &RunEvent| {
        if let EventKind::PostconditionChecked { ok, looks: count, .. } = &event.kind {
            *looks.lock().unwrap() = Some((*ok, *count));
        }
    };
    let call = session.call("card.add").arguments(json!({ "title": "Dig" })).observer(&watch);
    assert_eq!(call.run().await.result.expect("it comes true"), json!({ "added": true }));
    assert_eq!(*looks.lock().unwrap(), Some((true, 3)), "whether it came true, and at which look");
    assert!(session.snapshot("it").is_none(), "a proof is not what the caller has seen");
}

#[tokio::test]
async fn a_promise_that_is_not_kept_fails_the_call_and_shows_what_happened_instead() {
    let stage = Stage::new().await;
    stage.server.page("/", PAGE);
    let mut promise = verify("{% state.cards[-1].title = input.title %}", 1_000);
    promise["failure_message"] = json!("The card is not there.");
    let session = stage.open(&map(&[cards()], &[tool("button", Some(promise))]), "/").await;
    let error = call(&session, json!({ "title": "Mow" })).await.expect_err("another card was added");
    assert_eq!(
        (error.code.as_str(), error.message.as_str()),
        ("state_postcondition_failed", "The card is not there.")
    );
    assert!(error.mutated);
    insta::assert_json_snapshot!(error.evidence["state_diff"]);
}

#[tokio::test]
async fn the_state_before_is_read_only_for_a_tool_that_promises_something() {
    let stage = Stage::new().await;
    stage.server.page("/", "<button>Nothing</button>");
    let mut costs = Vec::new();
    for postcondition in [None, Some(verify("{% true %}", 1_000))] {
        let session = stage.open(&map(&[cards()], &[tool("button", postcondition)]), "/").await;
        let (result, trips) = round_trips(&session, call(&session, json!({}))).await;
        result.expect("nothing goes wrong");
        costs.push(trips);
    }
    assert_eq!(costs[1], costs[0] + 2, "one before, one after");
}

#[tokio::test]
async fn after_a_navigation_the_promise_is_proven_on_the_page_that_came() {
    let stage = Stage::new().await;
    stage.server.page("/", r#"<a href="/list">List</a>"#);
    stage.server.page("/list", "<ul></ul><script>setTimeout(() => { document.querySelector('ul').innerHTML = '<li id=a>Sow'; }, 200)</script>");
    let mut there = cards();
    there["scope"] = json!({ "url_matches": "*/list" });
    there["postconditions"] =
        json!({ "card.add": { "expression": "{% $count(state.cards) = 1 %}", "language": "jsonata" } });
    let session = stage.open(&map(&[there], &[tool("a", None)]), "/").await;
    assert_eq!(call(&session, json!({})).await.expect("it is there"), json!({ "added": true }));
}

#[tokio::test]
async fn a_projection_that_cannot_be_read_afterwards_is_the_cause() {
    let stage = Stage::new().await;
    stage.server.page("/", PAGE);
    let mut elsewhere = cards();
    elsewhere["scope"] = json!({ "url_matches": "*/elsewhere" });
    let session =
        stage.open(&map(&[elsewhere], &[tool("button", Some(verify("{% true %}", 300)))]), "/").await;
    let error = call(&session, json!({})).await.expect_err("it does not apply");
    assert_eq!(error.code.as_str(), "state_postcondition_failed");
    assert_eq!(error.evidence["cause"]["code"], "state_projection_not_found");
}

#[tokio::test]
async fn a_tool_that_is_called_by_another_keeps_its_promise_too() {
    let stage = Stage::new().await;
    stage.server.page("/", PAGE);
    let inner = tool("button", Some(verify("{% state.cards[-1].title = input.title %}", 500)));
    let outer = json!({
        "name": "cards.add", "description": "Adds cards.", "input_schema": { "type": "object" },
        "workflow": { "version": 1, "expression_language": "jsonata", "steps": [
            { "id": "add", "primitive": "actions.site", "args": { "mode": "call", "action": "card.add", "arguments": { "title": "Mow" } } }] },
    });
    let session = stage.open(&map(&[cards()], &[inner, outer]), "/").await;
    let error = session.call("cards.add").run().await.result.expect_err("the inner promise is not kept");
    assert_eq!(error.code.as_str(), "state_postcondition_failed");
    assert_eq!(error.step.expect("a step").id.as_str(), "add");
}

#[tokio::test]
async fn a_handler_keeps_its_promise_like_a_workflow() {
    let stage = Stage::new().await;
    stage.server.page("/", PAGE);
    let mut handler = tool("button", Some(verify("{% false %}", 200)));
    handler.as_object_mut().expect("a tool").remove("workflow");
    handler["input_schema"] = json!({ "type": "object" });
    handler["x_actions"] = json!({ "handler": "pointer.click", "binding": { "arguments": { "locator": { "selector": "button" } } } });
    let session = stage.open(&map(&[cards()], &[handler]), "/").await;
    assert_eq!(
        call(&session, json!({})).await.expect_err("never true").code.as_str(),
        "state_postcondition_failed"
    );
}

#[tokio::test]
async fn a_call_that_is_over_before_its_promise_is_proven_says_so() {
    let clock = TestClock::new();
    let time = clock.clone();
    let session = imagined(&map(&[cards()], &[idle(verify("{% false %}", 60_000))]), &clock, move || {
        time.advance(Duration::from_millis(300));
        json!({ "cards": [] })
    });
    let outcome = session.call("card.add").timeout(actions_protocol::Millis(2_000)).run().await;
    let error = outcome.result.expect_err("never true");
    assert_eq!(error.code.as_str(), "handler_timeout");
    assert_eq!(error.evidence["condition"], "false");
    assert!(error.evidence.contains_key("state_hash"), "the evidence holds the last state: {error:?}");
}
