//! Bridges that tests can look into: one by HTTP, one by WebSocket, and one in a page.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use actions_engine::browser::{Deadline, TestClock};
use actions_engine::{
    Failure, WabAuth, WabCall, WabCaller, WabPage, WabPageAnswer, WabPlaces, WabReply, WabTransport,
};
use actions_interop::credentials::{Credential, Credentials, Scheme, Secret};
use actions_interop::fetch::Client;
use actions_interop::identity::Identity;
use actions_interop::wab::Agent;
use async_trait::async_trait;
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio_tungstenite::tungstenite::Message;

/// The key of the agent.
pub(crate) const KEY: &str = "wab_key_of_the_tests";

/// An agent with the key for these origins, on a clock of the test.
pub(crate) fn agent(origins: &[&str], clock: &TestClock) -> Agent {
    let credentials = Credentials::in_memory();
    for origin in origins {
        let credential = Credential { scheme: Scheme::Wab, secret: Secret::new(KEY), header: None };
        credentials.set(origin, "wab", credential).unwrap();
    }
    let client = Client::new(Identity::default().name("clerk")).unwrap();
    Agent::new(client, Arc::new(credentials)).with_clock(Arc::new(clock.clone()))
}

/// A command to a bridge.
pub(crate) fn call(url: &str, places: WabPlaces, order: &[WabTransport]) -> WabCall {
    let params = json!({ "name": "search", "data": { "query": "soup" } });
    let mut call = WabCall::new(url, "wab.executeAction", params);
    (call.places, call.order, call.auth) = (places, order.to_vec(), WabAuth::None);
    call
}

/// Sends a command from a page.
pub(crate) async fn send_from(
    agent: &Agent,
    call: WabCall,
    page: &Page,
    clock: &TestClock,
) -> Result<WabReply, Failure> {
    let deadline = Deadline::after(clock, std::time::Duration::from_secs(30));
    agent.command(call, page, deadline).await
}

/// Sends a command without a page.
pub(crate) async fn send(agent: &Agent, call: WabCall, clock: &TestClock) -> Result<WabReply, Failure> {
    send_from(agent, call, &Page::default(), clock).await
}

/// A page whose functions answer what the test says, one after the other.
#[derive(Default)]
pub(crate) struct Page {
    pub(crate) url: String,
    pub(crate) answers: Mutex<VecDeque<WabPageAnswer>>,
    /// What was called, with its arguments.
    pub(crate) called: Mutex<Vec<(String, Vec<Value>)>>,
    /// Is advanced by each call, so that waiting between calls ends.
    pub(crate) clock: Option<TestClock>,
}

#[async_trait]
impl WabPage for Page {
    fn url(&self) -> String {
        self.url.clone()
    }

    async fn call(&self, path: &str, args: &[Value], _deadline: Deadline) -> WabPageAnswer {
        self.called.lock().unwrap().push((path.to_owned(), args.to_vec()));
        if let Some(clock) = self.clock.clone() {
            tokio::spawn(async move {
                tokio::task::yield_now().await;
                clock.advance(std::time::Duration::from_millis(200));
            });
        }
        self.answers.lock().unwrap().pop_front().unwrap_or(WabPageAnswer::Missing)
    }
}

/// A bridge by WebSocket. It answers each command with the result that the test made of it, and counts connections.
pub(crate) struct SocketBridge {
    pub(crate) url: String,
    pub(crate) received: Arc<Mutex<Vec<Value>>>,
    pub(crate) connections: Arc<Mutex<usize>>,
}

impl SocketBridge {
    pub(crate) async fn start(answer: impl Fn(&Value) -> Value + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("ws://{}/ws/wab", listener.local_addr().unwrap());
        let received: Arc<Mutex<Vec<Value>>> = Arc::default();
        let connections: Arc<Mutex<usize>> = Arc::default();
        let (seen, count, answer) = (Arc::clone(&received), Arc::clone(&connections), Arc::new(answer));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                *count.lock().unwrap() += 1;
                let (seen, answer) = (Arc::clone(&seen), Arc::clone(&answer));
                tokio::spawn(async move {
                    let Ok(mut socket) = tokio_tungstenite::accept_async(stream).await else { return };
                    while let Some(Ok(Message::Text(text))) = socket.next().await {
                        let command: Value = serde_json::from_str(&text).unwrap();
                        // A heartbeat and an event before the answer are passed over.
                        let beat = json!({ "id": null, "type": "success", "result": { "status": "ok" } });
                        let _ = socket.send(Message::text(beat.to_string())).await;
                        let mut message = answer(&command);
                        message["id"] = command["id"].clone();
                        seen.lock().unwrap().push(command);
                        let _ = socket.send(Message::text(message.to_string())).await;
                    }
                });
            }
        });
        Self { url, received, connections }
    }
}
