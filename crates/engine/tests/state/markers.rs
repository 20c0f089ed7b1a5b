//! Markers of a projection.

use serde_json::{Value, json};

use crate::stage::{Stage, plain, read};

async fn with_markers(stage: &Stage, markers: Value) -> Result<Value, (String, String)> {
    let mut projection =
        plain(json!([{ "id": "rows", "selector": "li", "fields": { "id": { "attribute": "id" } } }]));
    projection["markers"] = markers;
    let session = stage.show("<ul><li id=a>A<li id=b>B</ul>", projection).await;
    match read(&session).await {
        Ok(reading) => Ok(json!(reading.markers)),
        Err(error) => Err((error.code.to_string(), error.message)),
    }
}

#[tokio::test]
async fn markers_are_written_out_or_computed_from_the_state() {
    let stage = Stage::new().await;
    let listed = with_markers(
        &stage,
        json!([{ "id": "top", "type": "pointer", "anchor": { "x": "{% 1 + 1 %}", "y": 5 },
                 "recipe": [{ "primitive": "locator.element_info", "args": { "locator": { "selector": "{% '#' & state.rows[0].id %}" } } }] }]),
    )
    .await;
    insta::assert_json_snapshot!("listed", listed.expect("markers"));
    let computed = with_markers(
        &stage,
        json!("{% [state.rows.{'id': 'go.' & id, 'type': 'cursor', 'recipe': [{'primitive': 'keyboard.press', 'args': {'key': 'End'}}]}] %}"),
    )
    .await;
    insta::assert_json_snapshot!("computed", computed.expect("markers"));
}

#[tokio::test]
async fn markers_that_break_the_rules_are_refused_with_a_code() {
    let stage = Stage::new().await;
    let marker = |more: &str| {
        format!(
            "{{% [{{'id': 'm', 'type': 'cursor', 'recipe': [{{'primitive': 'keyboard.press'}}]}}{more}] %}}"
        )
    };
    let cases = [
        marker(", {'id': 'm', 'type': 'pointer', 'recipe': [{'primitive': 'pointer.move'}]}"),
        marker(", {'id': 'n', 'type': 'place', 'recipe': [{'primitive': 'pointer.move'}]}"),
        marker(", {'id': 'n', 'type': 'pointer', 'recipe': []}"),
        marker(", {'id': 'n', 'type': 'pointer', 'recipe': [{'primitive': 'debug.run_javascript'}]}"),
        marker(", {'id': 'not safe!', 'type': 'pointer', 'recipe': [{'primitive': 'pointer.move'}]}"),
        marker(
            ", {'id': 'n', 'type': 'pointer', 'recipe': [{'primitive': 'pointer.move'}], 'anchor': {'x': 'left'}}",
        ),
        marker(
            ", {'id': 'n', 'type': 'pointer', 'recipe': [{'primitive': 'pointer.move'}], 'colour': 'red'}",
        ),
        marker(", 7"),
        "{% $number('x') %}".to_owned(),
    ];
    let mut errors = Vec::new();
    for case in cases {
        let (code, message) = with_markers(&stage, json!(case)).await.expect_err("a refusal");
        errors.push(format!("{code}: {message}"));
    }
    insta::assert_snapshot!(errors.join("\n"));
}
