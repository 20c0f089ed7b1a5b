//! States, context and listings on a real page: one round trip for all of them.

use actions_engine::Session;
use serde_json::{Value, json};

use crate::page::{Stage, round_trips, script, tool};

const PAGE: &str = "<h1>Maps</h1><ul id=list><li>One<li>Two</ul><p id=note style='display: none'>Hidden</p>
    <div id=host></div><script>
      host.attachShadow({ mode: 'closed' }).innerHTML = '<p class=inside>Inside</p>';
    </script>";

fn state(name: &str, diagnostic: Value) -> Value {
    json!({ "name": name, "description": "A state.", "diagnostics": [diagnostic] })
}

/// A session on the page, with many states of every sort.
async fn opened(stage: &Stage) -> Session {
    let states = json!([
        state("headed", json!({ "target": { "selector": "h1", "text_equals": "Maps" } })),
        state("two_items", json!({ "target": { "selector": "#list > li" }, "min_count": 2, "max_count": 2 })),
        state("three_items", json!({ "target": { "selector": "#list > li" }, "min_count": 3 })),
        state("note_there", json!({ "target": { "selector": "#note" } })),
        state("note_shown", json!({ "target": { "selector": "#note" }, "visible": true })),
        state("no_dialog", json!({ "target": { "selector": "dialog[open]" }, "exists": false })),
        state("inside", json!({ "target": { "selector": ".inside" } })),
        state("here", json!({ "url_contains": "127.0.0.1" })),
        state("elsewhere", json!({ "url_contains": "/elsewhere", "target": { "selector": "h1" } })),
        state("headed_and_noted", json!({ "target": { "selector": "#note", "state": "headed" } })),
        { "name": "unmeasured", "description": "A state." },
    ]);
    let tools = [
        tool("t", &json!([])),
        json!({
            "name": "on_list", "description": "A tool.",
            "input_schema": { "type": "object", "additionalProperties": false },
            "target": { "selector": "#list" },
            "workflow": { "version": 1, "expression_language": "jsonata", "steps": [] },
        }),
    ];
    let context = json!([
        { "id": "of_list", "body": "The list.", "load_when": { "targets": ["on_list"], "states": ["two_items"] } },
        { "id": "of_note", "body": "The note.", "load_when": { "targets": [{ "selector": "#nothing" }] } },
    ]);
    stage.with_map(&tools, &json!({ "states": states, "context": context })).await
}

#[tokio::test]
async fn all_states_take_one_round_trip_once_the_document_was_examined() {
    let stage = Stage::with(PAGE).await;
    let session = opened(&stage).await;
    let expected = ["headed", "two_items", "note_there", "no_dialog", "inside", "here", "headed_and_noted"]
        .map(str::to_owned);
    let first = session.current_states(None).await.unwrap();
    assert_eq!(
        (first.current.as_slice(), first.unknown.as_slice()),
        (&expected[..], &["unmeasured".to_owned()][..])
    );
    let (again, cost) = round_trips(&session, session.current_states(None)).await;
    assert_eq!((again.unwrap(), cost), (first, 1));
    script(&session, "document.querySelector('#note').style.display = ''; 0").await;
    let (changed, cost) = round_trips(&session, session.current_states(None)).await;
    assert_eq!(cost, 1, "a change of the page costs nothing");
    assert!(changed.unwrap().current.contains(&"note_shown".to_owned()));
}

#[tokio::test]
async fn a_listing_with_its_context_takes_one_round_trip() {
    let stage = Stage::with(PAGE).await;
    let session = opened(&stage).await;
    session.current_states(None).await.unwrap();
    let (listing, cost) = round_trips(&session, session.listing(None, None)).await;
    let listing = listing.unwrap();
    let blocks: Vec<&str> = listing.context.iter().map(|block| block.id.as_str()).collect();
    assert_eq!((blocks, cost), (vec!["of_list"], 1));
    assert!(listing.tools.iter().all(|tool| tool.applies), "{:?}", listing.tools);
    let (context, cost) = round_trips(&session, session.context(None, None)).await;
    assert_eq!((context.unwrap(), cost), (listing.context, 1));
}
