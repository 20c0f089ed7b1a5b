//! The transcripts in fixtures/protocol/transcripts, over every transport that clients use.

use std::path::{Path, PathBuf};
use std::time::Duration;

use actions_bridge::{Bridge, stdio};
use actions_engine::{CancellationToken, Engine};
use serde_json::Value;
use tokio::io::{
    AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf, duplex, split,
};
use tokio::task::JoinHandle;

use crate::peer::Peer;
use crate::stage::Stage;

/// How long an expected item may take.
const PATIENCE: Duration = Duration::from_secs(40);

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/protocol/transcripts")
}

fn read(name: &str) -> String {
    std::fs::read_to_string(folder().join(name)).unwrap()
}

fn names() -> Vec<String> {
    let entries = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<String> = entries.map(|name| name.to_string_lossy().into_owned()).collect();
    names.retain(|name| name.ends_with(".json") && name != "map.json");
    names.sort();
    names
}

/// A client, whatever carries its items.
enum Client {
    Socket(Box<Peer>),
    Lines {
        reader: BufReader<ReadHalf<DuplexStream>>,
        writer: WriteHalf<DuplexStream>,
        serving: JoinHandle<()>,
    },
}

impl Client {
    fn lines(bridge: &Bridge) -> Self {
        let (ours, theirs) = duplex(1 << 20);
        let (input, output) = split(theirs);
        let bridge = bridge.clone();
        let serving = tokio::spawn(async move {
            let stop = CancellationToken::new();
            stdio::serve(&bridge, input, output, &stop).await.unwrap();
        });
        let (reader, writer) = split(ours);
        Self::Lines { reader: BufReader::new(reader), writer, serving }
    }

    async fn send(&mut self, text: &str) {
        match self {
            Self::Socket(peer) => {
                use futures_util::SinkExt;
                let message = tokio_tungstenite::tungstenite::Message::text(text.to_owned());
                peer.socket.send(message).await.unwrap();
            }
            Self::Lines { writer, .. } => writer.write_all(format!("{text}\n").as_bytes()).await.unwrap(),
        }
    }

    async fn next(&mut self) -> Value {
        match self {
            Self::Socket(peer) => peer.next().await.unwrap(),
            Self::Lines { reader, .. } => {
                let mut line = String::new();
                assert!(reader.read_line(&mut line).await.unwrap() > 0, "the bridge closed its output");
                serde_json::from_str(&line).unwrap()
            }
        }
    }

    async fn end(self) {
        if let Self::Lines { writer, serving, reader } = self {
            // The end of the input ends the bridge; its output must be taken meanwhile.
            drop((writer, reader));
            serving.abort();
        }
    }
}

/// Whether an item matches a pattern.
fn matches(pattern: &Value, item: &Value) -> bool {
    match (pattern, item) {
        (Value::String(text), Value::String(_)) if text == "$text" => true,
        (Value::Object(pattern), Value::Object(item)) => {
            pattern.iter().all(|(key, pattern)| item.get(key).is_some_and(|item| matches(pattern, item)))
        }
        (Value::Array(pattern), Value::Array(item)) => {
            item.len() >= pattern.len()
                && pattern.iter().zip(item).all(|(pattern, item)| matches(pattern, item))
        }
        _ => pattern == item,
    }
}

async fn run(name: &str, transport: &'static str) {
    let map = read("map.json");
    let engine = |origin: &str| {
        let map = map.replace("ORIGIN", origin);
        Engine::from_bytes("map.json", map.as_bytes()).unwrap_or_else(|error| panic!("{error}"))
    };
    let stage = Stage::of(&[("/", &read("page.html"))], 1, engine).await;
    let transcript = read(name).replace("$RUNTIME", "s0-1").replace("$ORIGIN", &stage.server.origin());
    let transcript: Value = serde_json::from_str(&transcript).unwrap();
    let rule = transcript["rule"].as_str().unwrap();
    let mut client = match transport {
        "stdio" => Client::lines(&stage.bridge),
        _ => Client::Socket(Box::new(stage.peer("").await)),
    };
    let mut seen: Vec<Value> = Vec::new();
    // An expected item comes after the one that was expected before it was sent.
    let mut from = 0;
    for step in transcript["steps"].as_array().unwrap() {
        if let Some(item) = step.get("send") {
            client.send(&item.to_string()).await;
        } else if let Some(text) = step.get("send_text") {
            client.send(text.as_str().unwrap()).await;
        } else if let Some(pattern) = step.get("expect") {
            let found = async {
                loop {
                    if let Some(at) = seen[from..].iter().position(|item| matches(pattern, item)) {
                        return from + at + 1;
                    }
                    let item = client.next().await;
                    seen.push(item);
                }
            };
            let found = tokio::time::timeout(PATIENCE, found).await;
            from = found.unwrap_or_else(|_| {
                panic!("{name} over {transport}: {rule}\nexpected {pattern:#}\nseen {seen:#?}")
            });
        } else {
            let pattern = &step["count"];
            let count = seen.iter().filter(|item| matches(pattern, item)).count() as u64;
            assert_eq!(
                Some(count),
                step["is"].as_u64(),
                "{name} over {transport}: {rule}\n{pattern}\n{seen:#?}"
            );
        }
    }
    client.end().await;
    stage.end().await;
}

/// Runs every transcript, and fails with the names of those that do not hold.
async fn run_all(transport: &'static str) {
    let mut broken = Vec::new();
    for name in names() {
        let held = tokio::spawn({
            let name = name.clone();
            async move { run(&name, transport).await }
        });
        if held.await.is_err() {
            broken.push(name);
        }
    }
    assert!(broken.is_empty(), "these do not hold over {transport}: {broken:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_transcript_holds_over_standard_input_and_output() {
    run_all("stdio").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_transcript_holds_over_websocket() {
    run_all("websocket").await;
}
