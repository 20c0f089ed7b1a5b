//! The bridge by WebSocket: messages, events, heartbeats and ends.

use std::time::Duration;

use actions_wab::BridgeOptions;
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

use crate::stage::{KEY, Stage};

/// An agent by WebSocket.
struct Peer {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
}

impl Peer {
    async fn connect(stage: &Stage) -> Self {
        let (socket, _) =
            tokio_tungstenite::connect_async(format!("ws://{}/ws/wab", stage.address)).await.unwrap();
        Self { socket }
    }

    async fn send(&mut self, message: Value) {
        self.socket.send(Message::text(message.to_string())).await.unwrap();
    }

    /// The next message; a close frame is its code.
    async fn next(&mut self) -> Result<Value, u16> {
        let reading = async {
            loop {
                match self.socket.next().await {
                    Some(Ok(Message::Text(text))) => return Ok(serde_json::from_str(&text).unwrap()),
                    Some(Ok(Message::Close(frame))) => {
                        return Err(frame.map_or(0, |frame| u16::from(frame.code)));
                    }
                    Some(Ok(_)) => {}
                    Some(Err(_)) | None => return Err(0),
                }
            }
        };
        tokio::time::timeout(Duration::from_secs(60), reading).await.expect("a message")
    }

    async fn ask(&mut self, message: Value) -> Value {
        let id = message["id"].clone();
        self.send(message).await;
        loop {
            let answer = self.next().await.expect("an answer");
            if answer["id"] == id {
                return answer;
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn g14_messages_are_texts_and_events_have_no_id() {
    let stage = Stage::new().await;
    let mut peer = Peer::connect(&stage).await;
    let subscribed = peer.ask(json!({ "id": 1, "method": "wab.subscribe", "params": { "events": ["actionExecuted", "error"] } })).await;
    assert_eq!(subscribed["result"]["events"], json!(["actionExecuted", "error"]));
    assert_eq!(subscribed["result"].get("stream"), None);
    let params = json!({ "name": "menu_search", "data": { "query": "soup" } });
    peer.send(json!({ "id": 2, "method": "wab.executeAction", "params": params })).await;
    let mut seen = Vec::new();
    while seen.len() < 2 {
        seen.push(peer.next().await.unwrap());
    }
    seen.sort_by_key(|message| message["id"].is_null());
    assert_eq!((&seen[0]["id"], &seen[0]["result"]["total"]), (&json!(2), &json!(2)));
    assert_eq!(
        seen[1],
        json!({ "id": null, "type": "event", "event": "actionExecuted", "data": { "name": "menu_search" } })
    );
    peer.socket.send(Message::Binary(vec![1].into())).await.unwrap();
    assert_eq!(peer.next().await, Err(1003));
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn g9_an_id_is_accepted_once_on_a_connection() {
    let stage = Stage::new().await;
    let mut peer = Peer::connect(&stage).await;
    let ping = json!({ "id": "a", "method": "wab.ping", "params": {} });
    assert_eq!(peer.ask(ping.clone()).await["type"], "success");
    assert_eq!(peer.ask(ping.clone()).await["error"]["code"], "DUPLICATE_COMMAND_ID");
    let mut other = Peer::connect(&stage).await;
    assert_eq!(other.ask(ping).await["type"], "success", "another connection has ids of its own");
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn g14_a_key_that_is_not_accepted_closes_the_connection() {
    let stage = Stage::new().await;
    let mut peer = Peer::connect(&stage).await;
    let params = json!({ "apiKey": "a-wrong-key", "meta": {} });
    let refused = peer.ask(json!({ "id": 1, "method": "wab.authenticate", "params": params })).await;
    assert_eq!(refused["error"]["code"], "INVALID_TOKEN");
    assert_eq!(peer.next().await, Err(4003));
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn g14_the_end_of_a_session_closes_its_connection() {
    let clock = actions_engine::browser::TestClock::new();
    let stage =
        Stage::with(BridgeOptions { clock: std::sync::Arc::new(clock.clone()), ..BridgeOptions::default() })
            .await;
    let mut peer = Peer::connect(&stage).await;
    let begun = peer.ask(json!({ "id": 1, "method": "wab.authenticate", "params": { "apiKey": KEY } })).await;
    assert!(begun["result"]["sessionToken"].is_string(), "{begun}");
    let subscribed = peer
        .ask(json!({ "id": 2, "method": "wab.subscribe", "params": { "events": ["sessionExpired"] } }))
        .await;
    assert_eq!(subscribed["type"], "success");
    clock.advance(Duration::from_secs(3_601));
    assert_eq!(peer.next().await.map(|message| message["event"].clone()), Ok(json!("sessionExpired")));
    assert_eq!(peer.next().await, Err(4001));
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn g14_an_agent_that_goes_on_sending_too_fast_is_cut_off() {
    let stage = Stage::with(BridgeOptions { max_rate: 1, ..BridgeOptions::default() }).await;
    let mut peer = Peer::connect(&stage).await;
    for id in 0..30 {
        peer.send(json!({ "id": id, "method": "wab.ping", "params": {} })).await;
    }
    let mut codes = Vec::new();
    let end = loop {
        match peer.next().await {
            Ok(message) => codes.push(message["error"]["code"].clone()),
            Err(code) => break code,
        }
    };
    assert_eq!(end, 4002);
    assert!(codes.iter().filter(|code| *code == "RATE_LIMITED").count() >= 20, "{codes:?}");
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn g11_a_page_of_another_origin_gets_no_connection() {
    use tokio_tungstenite::tungstenite::client::IntoClientRequest;
    let stage = Stage::new().await;
    let mut request = format!("ws://{}/ws/wab", stage.address).into_client_request().unwrap();
    request.headers_mut().insert("origin", "https://evil.example".parse().unwrap());
    assert!(tokio_tungstenite::connect_async(request).await.is_err());
    stage.end().await;
}
