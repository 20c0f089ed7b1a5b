//! A small bridge that plays the part of the public reference bridge, quirks included: no token, no acknowledgements, silent
//! eviction, probes, and answers that are dropped when they name another runtime.

use std::collections::{BTreeMap, HashMap};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinSet;
use tokio_tungstenite::tungstenite::Message;

/// How often it asks for the states of runtimes; the first time at once.
const TICK: Duration = Duration::from_secs(10);
/// A runtime that was not seen for this long is probed before a call.
const FRESH: Duration = Duration::from_secs(5);
/// How long a probe may take.
const PROBE: Duration = Duration::from_millis(1_500);
/// A runtime that was not seen for this long is not listed.
const LISTED: Duration = Duration::from_secs(30);

/// The reference bridge.
pub(crate) struct Reference {
    pub(crate) address: SocketAddr,
    shared: Arc<Mutex<State>>,
    serving: tokio::task::JoinHandle<()>,
}

#[derive(Default)]
struct State {
    connections: HashMap<u64, mpsc::UnboundedSender<Message>>,
    runtimes: BTreeMap<String, Runtime>,
    pending: HashMap<String, Pending>,
    probes: HashMap<String, oneshot::Sender<bool>>,
    progress: HashMap<String, Value>,
    /// Everything that arrived.
    received: Vec<Value>,
    /// What it would print on standard error.
    complaints: Vec<String>,
    /// Probes before every call, as if the runtime had been silent.
    always_probes: bool,
    number: u64,
}

struct Runtime {
    connection: u64,
    key: Value,
    url: String,
    title: String,
    seen: Instant,
    hydration: &'static str,
    claimed: bool,
}

struct Pending {
    runtime_id: String,
    answer: oneshot::Sender<Value>,
}

/// What a caller of the reference bridge sees: a result, or an HTTP status with an error.
pub(crate) type Seen = Result<Value, (u16, Value)>;

impl Reference {
    pub(crate) async fn start() -> Self {
        Self::start_at("127.0.0.1:0".parse().unwrap()).await
    }

    /// Starts at an address, again if it was used a moment ago.
    pub(crate) async fn start_at(address: SocketAddr) -> Self {
        let listener = loop {
            match TcpListener::bind(address).await {
                Ok(listener) => break listener,
                Err(_) => tokio::time::sleep(Duration::from_millis(20)).await,
            }
        };
        let address = listener.local_addr().unwrap();
        // Call ids are never used twice, not even by a bridge that was started again.
        let number = std::time::UNIX_EPOCH.elapsed().unwrap().as_millis() as u64 * 1_000;
        let shared = Arc::new(Mutex::new(State { number, ..State::default() }));
        let serving = tokio::spawn(serve(listener, Arc::clone(&shared)));
        Self { address, shared, serving }
    }

    pub(crate) fn url(&self) -> String {
        format!("ws://{}/extension", self.address)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.shared.lock().unwrap()
    }

    /// Ends it as a kill does: every connection breaks.
    pub(crate) async fn kill(mut self) -> SocketAddr {
        self.serving.abort();
        let _ = (&mut self.serving).await;
        self.address
    }

    pub(crate) fn always_probe(&self) {
        self.state().always_probes = true;
    }

    /// `GET /runtimes`.
    pub(crate) fn runtimes(&self) -> Vec<Value> {
        let state = self.state();
        let live = state.runtimes.iter().filter(|(_, runtime)| runtime.seen.elapsed() < LISTED);
        live.map(|(id, runtime)| {
            json!({ "runtime_id": id, "url": runtime.url, "title": runtime.title, "is_live": true,
                "storage_hydration": runtime.hydration, "claimed": runtime.claimed })
        })
        .collect()
    }

    /// Everything of a type that arrived.
    pub(crate) fn received(&self, kind: &str) -> Vec<Value> {
        self.state().received.iter().filter(|item| item["type"] == kind).cloned().collect()
    }

    pub(crate) fn complaints(&self) -> Vec<String> {
        self.state().complaints.clone()
    }

    /// Forgets a runtime, as it does after a stall, and tells no one.
    pub(crate) fn evict(&self, runtime_id: &str) {
        self.state().runtimes.remove(runtime_id);
    }

    /// Sends a text on every connection.
    pub(crate) fn say(&self, text: &str) {
        for connection in self.state().connections.values() {
            let _ = connection.send(Message::text(text.to_owned()));
        }
    }

    /// Breaks every connection.
    pub(crate) fn hang_up(&self) {
        let connections: Vec<_> = self.state().connections.values().cloned().collect();
        for connection in connections {
            let _ = connection.send(Message::Close(None));
        }
    }

    /// The item that arrived after so many others.
    pub(crate) async fn item(&self, number: usize) -> Value {
        loop {
            if let Some(item) = self.state().received.get(number) {
                return item.clone();
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// Waits until something holds.
    pub(crate) async fn until(&self, what: &str, holds: impl Fn(&Self) -> bool) {
        let begun = Instant::now();
        while !holds(self) {
            assert!(begun.elapsed() < Duration::from_secs(60), "{what}: {:#?}", self.runtimes());
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// A primitive, called directly, which needs a report.
    pub(crate) async fn primitive(&self, runtime_id: &str, name: &str, mut arguments: Value) -> Seen {
        let report = arguments.as_object_mut().and_then(|members| members.remove("policy_exception_report"));
        if report.is_none() {
            return Err((400, json!({ "code": "policy_exception_report_required" })));
        }
        self.call(runtime_id, json!({ "type": "action_call", "name": name, "arguments": arguments }), 30_000)
            .await
    }

    /// Sends a call and waits for its answer.
    pub(crate) async fn call(&self, runtime_id: &str, mut item: Value, timeout_ms: u64) -> Seen {
        let (call_id, probing) = {
            let mut state = self.state();
            state.number += 1;
            let Some(runtime) = state.runtimes.get(runtime_id) else {
                return Err((404, json!("target runtime not connected")));
            };
            (format!("call-{}", state.number), state.always_probes || runtime.seen.elapsed() > FRESH)
        };
        if probing && !self.probe(runtime_id).await {
            self.evict(runtime_id);
            return Err((404, json!({ "code": "tab_closed" })));
        }
        let (answer, answered) = oneshot::channel();
        item["call_id"] = json!(call_id);
        item["runtime_id"] = json!(runtime_id);
        {
            let mut state = self.state();
            state.pending.insert(call_id.clone(), Pending { runtime_id: runtime_id.to_owned(), answer });
            state.send_to(runtime_id, &item);
        }
        let answered = tokio::time::timeout(Duration::from_millis(timeout_ms), answered).await;
        let mut state = self.state();
        state.pending.remove(&call_id);
        match answered {
            Ok(Ok(item)) if item["type"] == "action_error" => {
                Ok(json!({ "ok": false, "call_id": call_id, "error": item["error"] }))
            }
            Ok(Ok(item)) => Ok(json!({ "ok": true, "call_id": call_id, "output": item["output"] })),
            Ok(Err(_)) => Err((502, json!("extension dropped response"))),
            Err(_) => {
                let phases = state.progress.remove(&call_id);
                Err((504, json!({ "code": "dispatch_timeout", "evidence": phases })))
            }
        }
    }

    async fn probe(&self, runtime_id: &str) -> bool {
        let (answer, answered) = oneshot::channel();
        {
            let mut state = self.state();
            state.number += 1;
            let probe_id = format!("probe-{}", state.number);
            state.probes.insert(probe_id.clone(), answer);
            let probe = json!({ "type": "runtime_probe", "probe_id": probe_id, "runtime_id": runtime_id });
            state.send_to(runtime_id, &probe);
        }
        matches!(tokio::time::timeout(PROBE, answered).await, Ok(Ok(true)))
    }
}

impl Drop for Reference {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

impl State {
    fn send_to(&self, runtime_id: &str, item: &Value) {
        let runtime = self.runtimes.get(runtime_id);
        let connection = runtime.and_then(|runtime| self.connections.get(&runtime.connection));
        if let Some(connection) = connection {
            let _ = connection.send(Message::text(item.to_string()));
        }
    }

    fn seen(&mut self, item: &Value) {
        if let Some(runtime) = item["runtime_id"].as_str().and_then(|id| self.runtimes.get_mut(id)) {
            runtime.seen = Instant::now();
        }
    }

    fn take(&mut self, connection: u64, item: Value) {
        self.received.push(item.clone());
        let text = |key: &str| item[key].as_str().unwrap_or_default().to_owned();
        match item["type"].as_str().unwrap_or_default() {
            "runtime_ready" => self.ready(connection, &item),
            "runtime_status" | "dom_event" => self.seen(&item),
            "action_progress" => {
                let pending = self.pending.get(&text("call_id"));
                if pending.is_some_and(|pending| pending.runtime_id == text("runtime_id")) {
                    self.seen(&item);
                    self.progress.insert(text("call_id"), item);
                }
            }
            "action_call_output" | "action_error" => {
                self.seen(&item);
                self.answered(item);
            }
            "runtime_probe_result" => {
                if let Some(probe) = self.probes.remove(&text("probe_id")) {
                    let _ = probe.send(item["alive"] == true);
                }
            }
            "runtime_removed" => drop(self.runtimes.remove(&text("runtime_id"))),
            _ => {}
        }
    }

    fn ready(&mut self, connection: u64, item: &Value) {
        let id = item["runtime_id"].as_str().unwrap_or("unknown-runtime").to_owned();
        let key = item["runtime_key"].clone();
        let same_key = self
            .runtimes
            .iter()
            .find(|(other, runtime)| **other != id && runtime.key == key && !key.is_null());
        if let Some((old, runtime)) = same_key.map(|(old, runtime)| (old.clone(), runtime.connection)) {
            self.runtimes.remove(&old);
            if let Some(connection) = self.connections.get(&runtime) {
                let _ = connection.send(Message::Close(None));
            }
        }
        let runtime = Runtime {
            connection,
            key,
            url: item["url"].as_str().unwrap_or_default().to_owned(),
            title: item["tab"]["title"].as_str().unwrap_or_default().to_owned(),
            seen: Instant::now(),
            hydration: "sent",
            claimed: !item["authorization_id"].is_null(),
        };
        assert!(item["tab"]["tab_id"].is_i64() && item["tab"]["window_id"].is_i64(), "{item}");
        self.runtimes.insert(id.clone(), runtime);
        let bundle = json!({ "type": "action_call", "call_id": format!("hydrate-{id}"), "runtime_id": id,
            "name": "storage.import_bundle", "arguments": {
                "x_actions_json_bridge_hydration": true, "bundle": { "entries": [{ "path": "a" }, { "path": "b" }] } } });
        self.send_to(&id, &bundle);
        let key = json!({ "type": "credential_hydration", "provider": "openai", "source": "env",
            "credential": { "api_key": "sk-very-secret" }, "redacted": "sk-…" });
        self.send_to(&id, &key);
    }

    fn answered(&mut self, item: Value) {
        let call_id = item["call_id"].as_str().unwrap_or_default().to_owned();
        let runtime_id = item["runtime_id"].as_str().unwrap_or_default().to_owned();
        if call_id.starts_with("hydrate-") {
            let is_imported = item["output"]["ok"] == true;
            if let Some(runtime) = self.runtimes.get_mut(&runtime_id) {
                runtime.hydration = if is_imported { "imported" } else { "import_failed" };
            }
            return;
        }
        match self.pending.get(&call_id) {
            None => self.complaints.push(format!("pending missing {call_id}")),
            Some(pending) if pending.runtime_id != runtime_id => {
                self.complaints.push(format!("pending runtime mismatch {call_id}"));
            }
            Some(_) => {
                if let Some(pending) = self.pending.remove(&call_id) {
                    let _ = pending.answer.send(item);
                }
            }
        }
    }
}

async fn serve(listener: TcpListener, shared: Arc<Mutex<State>>) {
    let mut connections = JoinSet::new();
    let mut number = 0;
    loop {
        let Ok((stream, _)) = listener.accept().await else { return };
        number += 1;
        connections.spawn(connection(stream, number, Arc::clone(&shared)));
    }
}

async fn connection(stream: TcpStream, number: u64, shared: Arc<Mutex<State>>) {
    let Ok(socket) = tokio_tungstenite::accept_async(stream).await else { return };
    let (mut sink, mut stream) = socket.split();
    let (sender, mut outgoing) = mpsc::unbounded_channel();
    shared.lock().unwrap().connections.insert(number, sender);
    let mut tick = tokio::time::interval(TICK);
    loop {
        tokio::select! {
            biased;
            _ = tick.tick() => {
                if sink.send(Message::text(r#"{"type":"runtime_status"}"#)).await.is_err() { break }
            }
            message = outgoing.recv() => {
                let Some(message) = message else { break };
                let is_close = message.is_close();
                if sink.send(message).await.is_err() || is_close { break }
            }
            message = stream.next() => match message {
                Some(Ok(Message::Text(text))) => {
                    // Text that it cannot parse is dropped in silence.
                    if let Ok(item) = serde_json::from_str::<Value>(&text) {
                        shared.lock().unwrap().take(number, item);
                    }
                }
                Some(Ok(Message::Close(_)) | Err(_)) | None => break,
                Some(Ok(_)) => {}
            },
        }
    }
    let mut state = shared.lock().unwrap();
    state.connections.remove(&number);
    state.runtimes.retain(|_, runtime| runtime.connection != number);
}
