//! Projections that say when their page may be read.

use serde_json::{Value, json};

use crate::stage::{Stage, map, plain, read, script, site, state};

/// A list whose items are placeholders for a while.
const LIST: &str = "<ul id=list class=loading><li>…</ul><script>
    setTimeout(() => { list.innerHTML = '<li>Sow<li>Mow'; list.className = '' }, 600)</script>";

fn items(ready: Value) -> Value {
    let mut projection = plain(json!([{ "id": "items", "selector": "li", "many": true }]));
    projection["x_actions"] = json!({ "ready": ready });
    projection
}

#[tokio::test]
async fn a_placeholder_is_not_read_as_content() {
    let stage = Stage::new().await;
    for ready in [
        json!({ "locator": { "selector": ".loading" }, "state": "detached" }),
        json!({ "locator": { "selector": "li", "nth": 1 }, "state": "visible" }),
        json!({ "expression": "{% $count(records.items) > 1 %}" }),
    ] {
        let session = stage.show(LIST, items(ready.clone())).await;
        assert_eq!(state(&session).await, json!({ "items": ["Sow", "Mow"] }), "{ready}");
    }
    let session = stage.show(LIST, plain(json!([{ "id": "items", "selector": "li", "many": true }]))).await;
    assert_eq!(state(&session).await, json!({ "items": ["…"] }), "without `ready` the page is read as it is");
}

#[tokio::test]
async fn a_page_that_does_not_become_ready_is_refused_with_what_was_waited_for() {
    let stage = Stage::new().await;
    for (ready, waited_for) in [
        (
            json!({ "locator": { "selector": "#more" }, "timeout_ms": 300 }),
            json!({ "locator": { "selector": "#more" }, "state": "visible" }),
        ),
        (
            json!({ "expression": "{% records.items = 'never' %}", "timeout_ms": 300 }),
            json!({ "expression": " records.items = 'never' " }),
        ),
    ] {
        let session = stage.show("<ul><li>Sow</ul>", items(ready)).await;
        let error = read(&session).await.expect_err("the page is not ready");
        assert_eq!(error.code.as_str(), "state_not_ready", "{error}");
        let mut seen = error.evidence["waited_for"].clone();
        if let Some(expression) = seen.get_mut("expression") {
            *expression = json!(format!(" {} ", expression.as_str().unwrap_or_default().trim()));
        }
        assert_eq!(seen, waited_for);
        assert_eq!(error.evidence["timeout_ms"], 300);
    }
}

#[tokio::test]
async fn a_postcondition_does_not_read_a_placeholder_either() {
    let stage = Stage::new().await;
    stage.server.page(
        "/",
        "<button onclick=\"later()\">Go</button><ul id=list><li>Sow</ul><script>
        function later() { list.className = 'loading'; list.innerHTML = '<li>Mow';
            setTimeout(() => { list.innerHTML = '<li>Mow<li>Reap'; list.className = '' }, 500) }</script>",
    );
    let ready = json!({ "locator": { "selector": ".loading" }, "state": "detached" });
    let go = json!({ "name": "go", "description": "Goes.", "input_schema": { "type": "object" },
        "workflow": { "version": 1, "expression_language": "jsonata", "steps": [
            { "id": "go", "primitive": "pointer.click", "args": { "locator": { "selector": "button" } } }] },
        "postcondition": { "projection": "it",
            "verify": { "language": "jsonata", "expression": "{% 'Mow' in state.items %}" } } });
    let session = stage.open(&map(&[items(ready)], &[go]), "/").await;
    site(&session, json!({ "mode": "call", "action": "go" })).await.expect("the postcondition holds");
    let seen = script(&session, "list.className").await;
    assert_eq!(seen, json!(""), "it held only after the page was ready");
}
