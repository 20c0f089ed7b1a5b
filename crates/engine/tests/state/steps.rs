//! Steps that read the state: `state.read`.

use actions_engine::CallError;
use serde_json::{Value, json};

use crate::stage::{Stage, diff, map, plain, site, state};

const BOARD: &str = "<h1>Garden</h1><ul><li>Sow<li>Mow</ul>";

fn board() -> Value {
    let mut projection = plain(json!([
        { "id": "title", "selector": "h1", "many": false }, { "id": "tasks", "selector": "li", "many": true }]));
    projection["summaries"] = json!([
        { "name": "count", "expression": "$count(state.tasks)" },
        { "name": "has", "expression": "{% $count(state.tasks) >= input.most %}",
          "input_schema": { "type": "object", "properties": { "most": { "type": "integer", "minimum": 1 } },
            "required": ["most"], "additionalProperties": false } },
        { "name": "broken", "expression": "{% $number('x') %}" },
    ]);
    projection
}

/// A tool that reads with these arguments, and what it gives.
async fn reads(stage: &Stage, args: Value) -> Result<Value, CallError> {
    let tool = json!({ "name": "read", "description": "Reads.", "input_schema": { "type": "object" },
        "workflow": { "version": 1, "expression_language": "jsonata",
            "steps": [{ "id": "read", "primitive": "state.read", "args": args }],
            "output": "{% steps.read.output %}" } });
    stage.server.page("/", BOARD);
    let mut elsewhere = plain(json!([]));
    elsewhere["name"] = json!("elsewhere");
    elsewhere["scope"] = json!({ "url_matches": "*/elsewhere" });
    let mut shaped = plain(json!([]));
    shaped["name"] = json!("shaped");
    shaped["snapshot"]["output_schema"] = json!({ "type": "object", "required": ["missing"] });
    let mut failing = plain(json!([]));
    failing["name"] = json!("failing");
    failing["snapshot"]["projection"]["expression"] = json!("{% $number('x') %}");
    let mut marked = plain(json!([]));
    marked["name"] = json!("marked");
    marked["markers"] = json!("{% $number('x') %}");
    let mut mismarked = plain(json!([]));
    mismarked["name"] = json!("mismarked");
    mismarked["markers"] = json!("{% [7] %}");
    let mut late = plain(json!([]));
    late["name"] = json!("late");
    late["x_actions"] = json!({ "ready": { "locator": { "selector": "#never" }, "timeout_ms": 50 } });
    let projections = [board(), elsewhere, shaped, failing, marked, mismarked, late];
    let session = stage.open(&map(&projections, &[tool]), "/").await;
    match site(&session, json!({ "mode": "call", "action": "read" })).await {
        Ok(answer) => Ok(answer.to_json()),
        Err(error) => Err(error),
    }
}

#[tokio::test]
async fn a_step_reads_a_state_or_a_summary_of_it() {
    let stage = Stage::new().await;
    let whole = reads(&stage, json!({ "projection": "it" })).await.expect("a state");
    assert_eq!(whole["state"], json!({ "title": "Garden", "tasks": ["Sow", "Mow"] }));
    assert_eq!(whole["projection"], "it");
    assert!(whole["state_hash"].is_string() && whole["diagnostics"]["bytes"].is_u64());
    let count = reads(&stage, json!({ "projection": "it", "summary": "count" })).await.expect("a summary");
    assert_eq!((&count["summary"], count.get("state")), (&json!(2), None));
    let args = json!({ "projection": "it", "summary": "has", "arguments": { "most": 1 } });
    assert_eq!(reads(&stage, args).await.expect("a summary")["summary"], json!(true));
}

#[tokio::test]
async fn every_declared_failure_has_its_code() {
    let stage = Stage::new().await;
    let cases = [
        (json!({ "projection": "{% 'nothing' %}" }), "state_projection_not_found"),
        (json!({ "projection": "elsewhere" }), "state_projection_not_found"),
        (json!({ "projection": "failing" }), "state_projection_failed"),
        (json!({ "projection": "late" }), "state_not_ready"),
        (json!({ "projection": "it", "summary": "nothing" }), "state_summary_not_found"),
        (json!({ "projection": "it", "summary": "broken" }), "state_summary_failed"),
        (json!({ "projection": "it", "max_bytes": 5 }), "state_payload_too_large"),
        (json!({ "projection": "shaped" }), "state_schema_validation_failed"),
        (json!({ "projection": "marked" }), "state_markers_failed"),
        (json!({ "projection": "mismarked" }), "invalid_state_markers"),
        (json!({ "projection": "it", "summary": "count", "arguments": { "most": 1 } }), "invalid_input"),
        (json!({ "projection": "{% 7 %}" }), "invalid_input"),
    ];
    let declared = actions_dictionary::Dictionary::builtin().get("state.read").expect("it is a primitive");
    let tried: Vec<&str> = cases.iter().map(|(_, code)| *code).collect();
    for (args, code) in &cases {
        let error = reads(&stage, args.clone()).await.expect_err("a failure");
        let codes = [Some(error.code), error.cause.as_ref().map(|cause| cause.code)];
        assert!(codes.iter().flatten().any(|found| found.as_str() == *code), "{args}: {error} {codes:?}");
    }
    let own = declared.errors.iter().map(|error| error.code.as_str()).filter(|code| code.contains("state"));
    own.for_each(|code| assert!(tried.contains(&code), "{code} has no case"));
}

#[tokio::test]
async fn a_step_that_reads_leaves_the_baseline_of_the_caller_alone() {
    let stage = Stage::new().await;
    let tool = json!({ "name": "add", "description": "Adds.", "input_schema": { "type": "object" },
        "workflow": { "version": 1, "expression_language": "jsonata", "steps": [
            { "id": "add", "primitive": "pointer.click", "args": { "locator": { "selector": "button" } } },
            { "id": "read", "primitive": "state.read", "args": { "projection": "it" } }],
            "output": "{% $count(steps.read.output.state.tasks) %}" } });
    stage.server.page(
        "/",
        "<button onclick=\"list.append(document.createElement('li'))\">Add</button><ul id=list><li>Sow</ul>",
    );
    let projection =
        plain(json!([{ "id": "tasks", "selector": "li", "many": true, "fields": { "text": {} } }]));
    let session = stage.open(&map(&[projection], &[tool]), "/").await;
    state(&session).await;
    let added = site(&session, json!({ "mode": "call", "action": "add" })).await.expect("a value");
    assert_eq!(added.to_json(), json!(2));
    let changes = diff(&session, "it").await;
    assert!(!changes.diff.is_empty(), "the difference is computed against what the caller read");
}
