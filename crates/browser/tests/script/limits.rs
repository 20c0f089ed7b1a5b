//! Pages that are too large: answers are bounded where they are made.

use serde_json::{Value, json};

use crate::stage::{Stage, perform, soon};

/// How much the script may hold on to, in bytes, on pages with a million nodes or fifty megabytes of text.
const MAX_HEAP: f64 = 60e6;

async fn heap(stage: &Stage) -> f64 {
    let session = stage.chromium.session();
    session.send_raw("HeapProfiler.collectGarbage", &json!({}), soon()).await.unwrap();
    let usage = session.send_raw("Runtime.getHeapUsage", &json!({}), soon()).await.unwrap();
    usage["usedSize"].as_f64().unwrap()
}

async fn code(stage: &Stage, function: &str, args: Value) -> Value {
    stage.call(function, &args).await["error"]["code"].clone()
}

#[tokio::test]
async fn a_million_nodes_are_refused_or_read_in_part_but_never_all_at_once() {
    perform(async |stage| {
        stage
            .show(
                "<title>Large</title><div id=all></div><button id=b>Find me</button><script>
                   const row = '<div class=row>' + '<span>c</span>'.repeat(499) + '</div>';
                   all.innerHTML = row.repeat(1000);
                 </script>",
            )
            .await;
        let found = stage.call("locator.element_info", &json!({ "locator": { "selector": "#b" } })).await;
        assert_eq!(found["ok"]["clickable"], json!(true), "{found}");
        let too_large = json!("payload_too_large");
        assert_eq!(code(stage, "dom.observe.visible", json!({})).await, too_large);
        assert_eq!(
            code(stage, "locator.text_content", json!({ "locator": { "selector": "body" } })).await,
            too_large
        );
        assert_eq!(
            code(stage, "locator.resolve", json!({ "locator": { "text": "nowhere" } })).await,
            too_large
        );
        let everything = json!({ "extract": [{ "id": "all", "selector": "span" }], "max_records": 100_000 });
        assert_eq!(code(stage, "dom.extract", everything).await, too_large);
        let cut = stage.call("dom.snapshot_text", &json!({ "max_chars": 100 })).await;
        assert_eq!(cut["ok"]["truncated"], json!(true));
        let used = heap(stage).await;
        assert!(used < MAX_HEAP, "the script holds {used} bytes");
    })
    .await;
}

#[tokio::test]
async fn fifty_megabytes_of_text_are_never_taken_whole() {
    perform(async |stage| {
        stage
            .show(
                "<title>Long</title><pre id=x></pre><button id=b>Go</button>
                 <script>x.textContent = 'lorem ipsum '.repeat(4200000)</script>",
            )
            .await;
        let before = heap(stage).await;
        let too_large = json!("payload_too_large");
        let pre = json!({ "selector": "pre", "text_contains": "lorem" });
        assert_eq!(
            code(stage, "locator.text_content", json!({ "locator": { "selector": "#x" } })).await,
            too_large
        );
        assert_eq!(code(stage, "locator.resolve", json!({ "locator": pre })).await, too_large);
        assert_eq!(code(stage, "dom.observe.visible", pre).await, too_large);
        assert_eq!(
            code(stage, "dom.extract", json!({ "extract": [{ "id": "x", "selector": "pre" }] })).await,
            too_large
        );
        let info = stage.call("locator.element_info", &json!({ "locator": { "selector": "#x" } })).await;
        assert_eq!(info["ok"]["text"].as_str().map(|text| text.chars().count()), Some(1_000));
        let found =
            stage.call("locator.resolve", &json!({ "locator": { "role": "button", "name": "Go" } })).await;
        assert_eq!(found["ok"]["candidate_count"], json!(1), "{found}");
        let grown = heap(stage).await - before;
        assert!(grown < MAX_HEAP / 4.0, "the heap grew by {grown} bytes");
    })
    .await;
}
