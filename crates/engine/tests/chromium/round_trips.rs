//! The engine adds no round trip to the primitives of a workflow.

use actions_engine::Session;
use serde_json::{Value, json};

use crate::page::{Stage, by_hand, round_trips, tool};

const PAGE: &str = "<h1>Maps</h1><input id=name><button>Go</button>";

fn read() -> Value {
    json!({ "id": "read", "primitive": "locator.text_content", "args": { "locator": { "selector": "h1" } } })
}

fn click() -> Value {
    json!({ "id": "click", "primitive": "pointer.click", "args": { "locator": { "selector": "button" } } })
}

fn insert() -> Value {
    json!({ "id": "insert", "primitive": "text.insert", "args": { "target": { "selector": "#name" }, "text": "ada" } })
}

/// The round trips of a tool: performed by the engine, and its primitives by hand.
async fn cost(session: &Session, steps: &Value) -> (u64, u64) {
    let ((), by_hand) = round_trips(session, by_hand(session, steps)).await;
    let (outcome, engine) = round_trips(session, session.call("t").run()).await;
    outcome.result.unwrap();
    (engine, by_hand)
}

#[tokio::test]
async fn a_workflow_takes_the_round_trips_of_its_primitives() {
    let stage = Stage::with(PAGE).await;
    for steps in [json!([read()]), json!([insert(), click(), read()]), json!([read(), insert(), click()])] {
        let session = stage.free(&[tool("t", &steps)]).await;
        // What is there once per document is there before anything is counted.
        session.call("t").run().await.result.unwrap();
        let (engine, by_hand) = cost(&session, &steps).await;
        assert_eq!(engine, by_hand, "{steps}");
    }
}
