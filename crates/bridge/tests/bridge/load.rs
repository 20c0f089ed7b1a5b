//! Many runtimes and many calls at once, with slow, dead and returning clients among those who make them.

use std::collections::BTreeMap;

use futures_util::SinkExt;
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

use crate::peer::is_answer;
use crate::stage::{Stage, session};

/// How many calls each runtime gets.
const CALLS: usize = 20;

/// Calls every runtime over one connection, while other clients misbehave. Every call is answered once, in order per
/// runtime.
async fn load(runtimes: usize, calls: usize) {
    let stage = Stage::new(runtimes).await;
    let mut slow = stage.peer("").await;
    let mut returning = stage.peer("?client=returning").await;
    let mut dead = stage.peer("").await;
    dead.call("dead", "s0-1", "log.read", json!({})).await;
    drop(dead);
    let mut peer = stage.peer("?client=worker").await;
    for number in 0..calls {
        for runtime in 0..runtimes {
            let call_id = format!("{runtime}/{number}");
            let page = format!("{}-1", session(runtime));
            let line = json!({ "line": format!("{number}") });
            let call = json!({ "type": "action_call", "call_id": call_id, "runtime_id": page,
                "name": "log.append", "arguments": line });
            peer.socket.feed(Message::text(call.to_string())).await.unwrap();
        }
        peer.socket.flush().await.unwrap();
        let about = json!({ "type": "action_call", "call_id": format!("slow-{number}"), "runtime_id": "s0-1",
            "name": "log.about", "arguments": {} });
        slow.socket.send(Message::text(about.to_string())).await.unwrap();
        returning.call(&format!("back-{number}"), "s0-1", "log.about", json!({})).await;
        drop(returning);
        returning = stage.peer("?client=returning").await;
    }
    let mut answers: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    while answers.len() < runtimes * calls {
        let item = peer.next().await.unwrap();
        if is_answer(&item) {
            let call_id = item["call_id"].as_str().unwrap().to_owned();
            answers.entry(call_id).or_default().push(item);
        }
    }
    for (call_id, answers) in &answers {
        let [answer] = answers.as_slice() else { panic!("{} answers to {call_id}", answers.len()) };
        let (runtime, number) = call_id.split_once('/').unwrap();
        assert_eq!(answer["output"], number, "{answer:#}");
        assert_eq!(answer["runtime_id"], format!("{}-1", session(runtime.parse().unwrap())));
    }
    let expected: String = (0..calls).map(|number| format!("{number};")).collect();
    for runtime in 0..runtimes {
        peer.call(&format!("log-{runtime}"), &format!("{}-1", session(runtime)), "log.read", json!({})).await;
        assert_eq!(
            peer.answer(&format!("log-{runtime}")).await["output"],
            expected,
            "calls keep their order"
        );
    }
    let last = format!("back-{}", calls - 1);
    assert_eq!(returning.answer(&last).await["type"], "action_call_output");
    stage.end().await;
}

/// How many runtimes there are: few in every run, fifty in `cargo xtask soak`.
fn runtimes() -> usize {
    std::env::var("ACTIONS_RUNTIMES").ok().and_then(|runtimes| runtimes.parse().ok()).unwrap_or(5)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_call_of_many_is_answered_once_and_in_order() {
    load(runtimes(), CALLS).await;
}
