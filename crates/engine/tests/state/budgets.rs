//! Sizes of states and summaries, and the arguments of summaries.

use serde_json::{Value, json};

use crate::stage::{Stage, projection, read, round_trips, site, summary};

fn rows(count: usize) -> String {
    let rows: String = (0..count)
        .map(|row| {
            format!(
                "<tr data-id=r{row}><td class=name>Row number {row}</td><td class=sum>{}</td></tr>",
                row % 97
            )
        })
        .collect();
    format!("<title>Rows</title><table>{rows}</table>")
}

fn table() -> Value {
    let mut table = projection(
        json!([{ "id": "rows", "selector": "tr", "fields": {
            "id": { "attribute": "data-id" }, "name": { "selector": ".name", "property": "textContent" },
            "sum": { "selector": ".sum", "property": "textContent" } } }]),
        "{'rows': records.rows.{'id': id, 'name': name, 'sum': $number(sum)}}",
    );
    table["summaries"] = json!([
        { "name": "agent_context", "max_bytes": 2000,
          "expression": "{'count': $count(state.rows), 'total': $sum(state.rows.sum), 'first': state.rows[[0..2]].name, 'name': projection.name}" },
        { "name": "page", "input_schema": { "type": "object", "required": ["from"], "additionalProperties": false,
            "properties": { "from": { "type": "integer" }, "count": { "type": "integer", "default": 2 } } },
          "expression": "[state.rows[[$$.input.from..($$.input.from + $$.input.count - 1)]].id]" },
        { "name": "all", "expression": "state.rows" },
        { "name": "broken", "expression": "$number(projection.name)" },
    ]);
    table
}

#[tokio::test]
async fn two_thousand_rows_are_summed_up_in_one_round_trip_and_two_kilobytes() {
    let stage = Stage::new().await;
    let session = stage.show(&rows(2_000), table()).await;
    let (reading, trips) = round_trips(&session, summary(&session, json!({}))).await;
    let reading = reading.expect("a summary");
    assert_eq!(trips, 1);
    assert_eq!(reading.summary["count"], 2_000);
    assert!(reading.summary_bytes <= 2_000 && reading.diagnostics.bytes > 48_000, "{reading:?}");

    // Too large to be handed over, but not too large to be compared.
    let before = session.snapshot("it").expect("the summary left a snapshot");
    assert_eq!(before.state["rows"].as_array().map(Vec::len), Some(2_000));
    crate::stage::script(&session, "document.querySelector('[data-id=r7] .sum').textContent = '1000'").await;
    let diff = crate::stage::diff(&session, "it").await;
    assert_eq!(json!(diff.diff.patches), json!([{ "op": "replace", "path": "/rows/7/sum", "value": 1000 }]));
}

#[tokio::test]
async fn what_is_over_its_budget_is_refused_never_cut_short() {
    let stage = Stage::new().await;
    let session = stage.show(&rows(2_000), table()).await;
    let error = read(&session).await.expect_err("too large");
    assert_eq!(error.code.as_str(), "state_payload_too_large");
    insta::assert_json_snapshot!("a_state_over_its_budget", error.evidence);
    assert!(session.snapshot("it").is_none(), "what was not handed over is nothing to compare with");

    let error = summary(&session, json!({ "summary": "all" })).await.expect_err("too large");
    insta::assert_json_snapshot!("a_summary_over_its_budget", error.evidence);

    let wished = json!({ "summary": "agent_context", "max_bytes": 20 });
    let error = summary(&session, wished).await.expect_err("too large for the caller");
    assert_eq!((&error.evidence["limit"], error.code.as_str()), (&json!(20), "state_payload_too_large"));
}

#[tokio::test]
async fn a_caller_may_take_more_than_the_default_but_never_more_than_the_map_declares() {
    let stage = Stage::new().await;
    let request =
        |max_bytes: u64| json!({ "mode": "state_read", "projection": "it", "max_bytes": max_bytes });
    let session = stage.show(&rows(2_000), table()).await;
    assert!(site(&session, request(200_000)).await.is_ok());
    let mut declared = table();
    declared["max_bytes"] = json!(60_000);
    let session = stage.show(&rows(2_000), declared).await;
    let error = site(&session, request(200_000)).await.expect_err("the map says so");
    assert_eq!(error.evidence["limit"], 60_000);
}

#[tokio::test]
async fn the_arguments_of_a_summary_are_checked_and_completed() {
    let stage = Stage::new().await;
    let session = stage.show(&rows(10), table()).await;
    let page = summary(&session, json!({ "summary_name": "page", "arguments": { "from": 3 } }))
        .await
        .expect("a page");
    assert_eq!(page.summary, json!(["r3", "r4"]));
    let refused = [
        json!({ "summary_name": "page" }),
        json!({ "summary_name": "page", "arguments": { "from": "3" } }),
        json!({ "summary_name": "agent_context", "arguments": { "from": 3 } }),
        json!({ "summary_name": "gone" }),
        json!({ "summary_name": "broken" }),
    ];
    let mut errors = Vec::new();
    for request in refused {
        let error = summary(&session, request).await.expect_err("a refusal");
        errors.push(format!("{}: {}", error.code, error.message));
    }
    insta::assert_snapshot!(errors.join("\n"));
}

#[tokio::test]
async fn the_arguments_of_a_summary_reach_it_only_by_its_schema() {
    let stage = Stage::new().await;
    let session = stage.show(&rows(1), table()).await;
    let (result, trips) = round_trips(
        &session,
        summary(&session, json!({ "summary_name": "page", "arguments": { "from": 1, "to": 2 } })),
    )
    .await;
    assert_eq!(result.expect_err("an unknown argument").code.as_str(), "invalid_input");
    assert_eq!(trips, 0, "what cannot be computed is not read");
}
