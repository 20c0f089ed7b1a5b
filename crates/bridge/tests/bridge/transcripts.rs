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

use crate::dialled::Dialled;
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

/// What carries items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Transport {
    Stdio,
    WebSocket,
    /// The runtime dials out, to a bridge that plays the reference's part.
    Connect,
}

impl Transport {
    const ALL: [Self; 3] = [Self::Stdio, Self::WebSocket, Self::Connect];

    /// Its name in transcripts.
    fn name(self) -> &'static str {
        match self {
            Self::Stdio => "stdio",
            Self::WebSocket => "websocket",
            Self::Connect => "connect",
        }
    }

    /// Whether a transcript or a step applies here.
    fn has(self, part: &Value) -> bool {
        part["not_over"].get(self.name()).is_none()
    }
}

/// A client, whatever carries its items.
enum Client {
    Socket(Box<Peer>),
    Dialled(Box<Dialled>),
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
            Self::Dialled(dialled) => dialled.send(&serde_json::from_str(text).unwrap()),
            Self::Lines { writer, .. } => writer.write_all(format!("{text}\n").as_bytes()).await.unwrap(),
        }
    }

    async fn next(&mut self) -> Value {
        match self {
            Self::Socket(peer) => peer.next().await.unwrap(),
            Self::Dialled(dialled) => dialled.next().await,
            Self::Lines { reader, .. } => {
                let mut line = String::new();
                assert!(reader.read_line(&mut line).await.unwrap() > 0, "the bridge closed its output");
                serde_json::from_str(&line).unwrap()
            }
        }
    }

    async fn end(self) {
        match self {
            Self::Socket(_) => {}
            Self::Dialled(dialled) => dialled.end().await,
            Self::Lines { writer, serving, reader } => {
                // The end of the input ends the bridge; its output must be taken meanwhile.
                drop((writer, reader));
                serving.abort();
            }
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

async fn run(name: &str, transport: Transport) {
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
        Transport::Stdio => Client::lines(&stage.bridge),
        Transport::WebSocket => Client::Socket(Box::new(stage.peer("").await)),
        Transport::Connect => {
            let map = serde_json::from_str(&map.replace("ORIGIN", &stage.server.origin())).unwrap();
            Client::Dialled(Box::new(Dialled::new(&stage, map).await))
        }
    };
    let mut seen: Vec<Value> = Vec::new();
    // An expected item comes after the one that was expected before it was sent.
    let mut from = 0;
    for step in transcript["steps"].as_array().unwrap().iter().filter(|step| transport.has(step)) {
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
                panic!("{name} over {transport:?}: {rule}\nexpected {pattern:#}\nseen {seen:#?}")
            });
        } else {
            let pattern = &step["count"];
            let count = seen.iter().filter(|item| matches(pattern, item)).count() as u64;
            assert_eq!(
                Some(count),
                step["is"].as_u64(),
                "{name} over {transport:?}: {rule}\n{pattern}\n{seen:#?}"
            );
        }
    }
    client.end().await;
    stage.end().await;
}

/// Runs every transcript that applies, and fails with the names of those that do not hold.
async fn run_all(transport: Transport) {
    let mut broken = Vec::new();
    for name in names().into_iter().filter(|name| transport.has(&serde_json::from_str(&read(name)).unwrap()))
    {
        let held = tokio::spawn({
            let name = name.clone();
            async move { run(&name, transport).await }
        });
        if held.await.is_err() {
            broken.push(name);
        }
    }
    assert!(broken.is_empty(), "these do not hold over {transport:?}: {broken:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_transcript_holds_over_standard_input_and_output() {
    run_all(Transport::Stdio).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_transcript_holds_over_websocket() {
    run_all(Transport::WebSocket).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_transcript_that_applies_holds_when_the_runtime_dials_out() {
    run_all(Transport::Connect).await;
}

#[test]
fn what_is_left_out_over_a_transport_has_a_reason() {
    for name in names() {
        let transcript: Value = serde_json::from_str(&read(&name)).unwrap();
        for part in transcript["steps"].as_array().unwrap().iter().chain([&transcript]) {
            for (transport, reason) in part["not_over"].as_object().into_iter().flatten() {
                assert!(Transport::ALL.iter().any(|known| known.name() == transport), "{name}: {transport}");
                assert!(reason.as_str().is_some_and(|reason| reason.len() > 20), "{name}: {reason}");
            }
        }
    }
}
