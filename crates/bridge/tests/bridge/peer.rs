//! A WebSocket client of the bridge.

use std::net::SocketAddr;
use std::time::Duration;

use futures_util::{SinkExt, Stream, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::handshake::client::Request;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::{Error, Message};

use crate::stage::TOKEN;

/// Longer than anything takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A WebSocket client of the bridge.
pub(crate) struct Peer {
    pub(crate) socket: WebSocketStream<TcpStream>,
}

/// The request of a client.
pub(crate) fn request(address: SocketAddr, query: &str, headers: &[(&'static str, &str)]) -> Request {
    let mut request = format!("ws://{address}/bridge{query}").into_client_request().unwrap();
    for (name, value) in headers {
        request.headers_mut().insert(*name, value.parse().unwrap());
    }
    request
}

impl Peer {
    pub(crate) async fn connect(address: SocketAddr, query: &str) -> Self {
        let token = format!("Bearer {TOKEN}");
        Self::try_connect(address, request(address, query, &[("authorization", &token)])).await.unwrap()
    }

    pub(crate) async fn try_connect(address: SocketAddr, request: Request) -> Result<Self, Error> {
        let stream = TcpStream::connect(address).await.unwrap();
        let (socket, _) = tokio_tungstenite::client_async(request, stream).await?;
        Ok(Self { socket })
    }

    pub(crate) async fn send(&mut self, item: &Value) {
        self.socket.send(Message::text(item.to_string())).await.unwrap();
    }

    /// Sends a call to a runtime.
    pub(crate) async fn call(&mut self, call_id: &str, runtime: &str, name: &str, arguments: Value) {
        let call = json!({ "type": "action_call", "call_id": call_id, "name": name, "arguments": arguments,
            "runtime_id": runtime });
        self.send(&call).await;
    }

    /// The next item; the frame that ends the connection otherwise.
    pub(crate) async fn next(&mut self) -> Result<Value, Option<CloseFrame>> {
        next_item(&mut self.socket).await
    }

    /// Waits for an item.
    pub(crate) async fn until(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        let mut seen = Vec::new();
        let waiting = async {
            loop {
                let item = self.next().await.unwrap_or_else(|end| panic!("the connection ended: {end:?}"));
                if wanted(&item) {
                    return item;
                }
                seen.push(item);
            }
        };
        let found = tokio::time::timeout(PATIENCE, waiting).await;
        found.unwrap_or_else(|_| {
            panic!("the item did not come; the last of {}: {:#?}", seen.len(), seen.last())
        })
    }

    /// Waits for the answer to a call.
    pub(crate) async fn answer(&mut self, call_id: &str) -> Value {
        self.until(|item| item["call_id"] == call_id && is_answer(item)).await
    }

    /// Waits for the end of the connection.
    pub(crate) async fn end(&mut self) -> Option<CloseFrame> {
        loop {
            if let Err(end) = self.next().await {
                return end;
            }
        }
    }
}

/// The next item of a connection; the frame that ends it otherwise.
pub(crate) async fn next_item(
    messages: &mut (impl Stream<Item = Result<Message, Error>> + Unpin),
) -> Result<Value, Option<CloseFrame>> {
    loop {
        let message = tokio::time::timeout(PATIENCE, messages.next()).await.expect("a message in time");
        match message {
            Some(Ok(Message::Text(text))) => return Ok(serde_json::from_str(&text).unwrap()),
            Some(Ok(Message::Close(frame))) => return Err(frame),
            Some(Ok(_)) => {}
            Some(Err(_)) | None => return Err(None),
        }
    }
}

pub(crate) fn is_answer(item: &Value) -> bool {
    item["type"] == "action_call_output" || item["type"] == "action_error"
}
