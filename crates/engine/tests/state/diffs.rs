//! Differences between two readings of a state.

use actions_engine::Baseline;
use serde_json::json;

use crate::stage::{Stage, diff, plain, script, site, state};

const LIST: &str = "<ul><li id=a>Sow</li><li id=b>Dig</li></ul>";

fn list() -> serde_json::Value {
    plain(
        json!([{ "id": "cards", "selector": "li", "fields": { "id": { "attribute": "id" }, "title": {} } }]),
    )
}

#[tokio::test]
async fn the_first_difference_sets_the_baseline_and_the_next_tells_what_changed() {
    let stage = Stage::new().await;
    let session = stage.show(LIST, list()).await;
    let first = diff(&session, "it").await;
    assert_eq!((first.baseline, first.diff.patches.len()), (Baseline::Initialized, 0));
    script(&session, "document.querySelector('ul').append(document.querySelector('#a')), document.querySelector('#b').textContent = 'Dug'").await;
    let second = diff(&session, "it").await;
    assert_eq!(second.baseline, Baseline::PreviousSnapshot);
    assert_eq!(second.previous_state_hash, Some(first.observation.state_hash));
    insta::assert_json_snapshot!(second.diff);
    assert!(diff(&session, "it").await.diff.is_empty());
}

#[tokio::test]
async fn the_next_difference_is_computed_against_a_reading() {
    let stage = Stage::new().await;
    let session = stage.show(LIST, list()).await;
    state(&session).await;
    script(&session, "document.querySelector('#a').remove()").await;
    let answer = diff(&session, "it").await;
    assert_eq!(json!(answer.diff.patches), json!([{ "op": "remove", "path": "/cards/0" }]));
}

#[tokio::test]
async fn the_difference_of_a_summary_is_refused() {
    let stage = Stage::new().await;
    let session = stage.show(LIST, list()).await;
    let request = json!({ "mode": "state_diff", "projection_name": "it", "summary_name": "agent_context" });
    let error = site(&session, request).await.expect_err("a refusal");
    assert_eq!(error.code.as_str(), "state_diff_requires_full_state");
}
