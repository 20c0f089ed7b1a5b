//! The bridge benchmark: one tool called directly in a session, and over a WebSocket. See ../README.md.
#![allow(clippy::print_stdout, reason = "it answers on standard output")]

use std::error::Error;
use std::io::BufRead;
use std::time::Instant;

use actions_bridge::Bridge;
use actions_bridge::listen::{Gate, Listening, Token};
use actions_engine::{CancellationToken, Engine};
use actions_runtime::{ChromiumLauncher, OpenSession, Runtime, RuntimeOptions, RuntimeSession, ToolCall};
use actions_testserver::TestServer;
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

type Answer<T> = Result<T, Box<dyn Error>>;

const TEXT: &str = "Read me";

#[tokio::main]
async fn main() -> Answer<()> {
    let server = TestServer::start().await?;
    server.page("/", format!("<title>Bench</title><p id=text>{TEXT}</p>"));
    let map = json!({
        "protocol": "actions.json", "version": 1, "surface": { "origin": server.origin(), "name": "Bench" },
        "tools": [{ "name": "text.read", "description": "Reads a text.", "input_schema": { "type": "object" },
            "workflow": { "version": 1, "expression_language": "jsonata",
                "steps": [{ "id": "read", "primitive": "locator.text_content", "args": { "locator": { "selector": "#text" } } }],
                "output": "{% steps.read.output.text %}" } }],
    });
    let runtime = Runtime::new(ChromiumLauncher::default(), RuntimeOptions::default());
    let map = Engine::from_bytes("bench.json", map.to_string().as_bytes())?;
    let session = runtime.open(OpenSession::named("bench").map(map)).await?;
    let bridge = Bridge::new(runtime).await;
    let token = Token::random()?;
    let listening = Listening::at("127.0.0.1:0".parse()?, Gate::new(token.clone())).await?;
    let url = listening.url();
    let stop = CancellationToken::new();
    let serving = tokio::spawn({
        let (bridge, stop) = (bridge.clone(), stop.clone());
        async move { listening.serve(&bridge, &stop).await }
    });
    let mut socket = connect(&url, token.as_str()).await?;
    println!("{}", json!({ "ready": {} }));
    let mut calls = 0;
    for task in std::io::stdin().lock().lines() {
        calls += 1;
        let start = Instant::now();
        let value = match task?.as_str() {
            "direct" => direct(&session).await?,
            _ => over_socket(&mut socket, calls).await?,
        };
        let ms = start.elapsed().as_secs_f64() * 1000.0;
        if value != TEXT {
            return Err(format!("the answer is {value}").into());
        }
        println!("{}", json!({ "ms": ms }));
    }
    stop.cancel();
    serving.await?;
    bridge.end().await;
    Ok(())
}

async fn direct(session: &RuntimeSession) -> Answer<Value> {
    Ok(session.call(ToolCall::of("text.read")).await.result?)
}

async fn over_socket(socket: &mut WebSocketStream<TcpStream>, number: u64) -> Answer<Value> {
    let call_id = number.to_string();
    let call = json!({ "type": "action_call", "call_id": call_id, "name": "text.read", "arguments": {} });
    socket.send(Message::text(call.to_string())).await?;
    loop {
        let Message::Text(text) = socket.next().await.ok_or("the connection ended")?? else { continue };
        let mut item: Value = serde_json::from_str(&text)?;
        if item["call_id"] == call_id && item["type"] == "action_call_output" {
            return Ok(item["output"].take());
        }
        if item["type"] == "action_error" {
            return Err(item.to_string().into());
        }
    }
}

async fn connect(url: &str, token: &str) -> Answer<WebSocketStream<TcpStream>> {
    let mut request = url.into_client_request()?;
    request.headers_mut().insert("authorization", format!("Bearer {token}").parse()?);
    let address = url.split('/').nth(2).ok_or("an address")?;
    let stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    Ok(tokio_tungstenite::client_async(request, stream).await?.0)
}
