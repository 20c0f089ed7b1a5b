//! A server with a page, a map of it, and a bridge that serves it.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use actions_bridge::listen::{Gate, Listening, Token};
use actions_bridge::{Bridge, People};
use actions_engine::{CancellationToken, Engine};
use actions_runtime::{ChromiumLauncher, OpenSession, Runtime, RuntimeOptions};
use actions_testserver::TestServer;
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use crate::peer::Peer;

/// The token of every test.
pub(crate) const TOKEN: &str = "token-of-the-tests-0123456789";

/// A page with a log that its button appends to, one line per click.
pub(crate) const LOG: &str = r#"
<title>Log</title>
<input id=line><button onclick="log.append(line.value + ';')">Append</button><p id=log></p>
"#;

/// A bridge over sessions named `a`, `b`, `c` …, each with one page.
pub(crate) struct Stage {
    pub(crate) server: TestServer,
    pub(crate) bridge: Bridge,
    pub(crate) address: SocketAddr,
    /// What was reported about refused requests.
    pub(crate) reported: Arc<Mutex<Vec<String>>>,
    stop: CancellationToken,
    serving: JoinHandle<()>,
}

impl Stage {
    pub(crate) async fn new(sessions: usize) -> Self {
        Self::of(&[("/", LOG)], sessions, map).await
    }

    /// A bridge over sessions on a page of this server, each with a map of its own.
    pub(crate) async fn of(pages: &[(&str, &str)], sessions: usize, map: impl Fn(&str) -> Engine) -> Self {
        Self::with_people(pages, sessions, map, People::default()).await
    }

    /// The same, with people who are asked.
    pub(crate) async fn with_people(
        pages: &[(&str, &str)],
        sessions: usize,
        map: impl Fn(&str) -> Engine,
        people: People,
    ) -> Self {
        let server = TestServer::start().await.unwrap();
        pages.iter().for_each(|(path, html)| server.page(path, *html));
        let runtime = Runtime::new(ChromiumLauncher::default(), RuntimeOptions::default());
        for number in 0..sessions {
            let open = OpenSession::named(session(number)).map(map(&server.origin()));
            runtime.open(open).await.expect("a session");
        }
        let bridge = Bridge::new(runtime).await;
        let reported: Arc<Mutex<Vec<String>>> = Arc::default();
        let reporter = {
            let reported = Arc::clone(&reported);
            Arc::new(move |line: &str| reported.lock().unwrap().push(line.to_owned()))
        };
        let gate = Gate::new(Token::parse(TOKEN).unwrap()).reporting(reporter);
        let listening = Listening::at("127.0.0.1:0".parse().unwrap(), gate).await.unwrap().with_page(people);
        let address = listening.url().split('/').nth(2).unwrap().parse().unwrap();
        let stop = CancellationToken::new();
        let serving = tokio::spawn({
            let (bridge, stop) = (bridge.clone(), stop.clone());
            async move { listening.serve(&bridge, &stop).await }
        });
        Self { server, bridge, address, reported, stop, serving }
    }

    /// Connects a client.
    pub(crate) async fn peer(&self, query: &str) -> Peer {
        Peer::connect(self.address, query).await
    }

    pub(crate) async fn end(self) {
        self.stop.cancel();
        self.serving.await.unwrap();
        self.bridge.end().await;
    }
}

/// The name of a session by its number.
pub(crate) fn session(number: usize) -> String {
    format!("s{number}")
}

/// A map of the log.
pub(crate) fn map(origin: &str) -> Engine {
    let map = map_json(origin);
    Engine::from_bytes("log.json", map.to_string().as_bytes()).unwrap_or_else(|error| panic!("{error}"))
}

/// A map of the log as JSON.
pub(crate) fn map_json(origin: &str) -> Value {
    let line =
        json!({ "type": "object", "properties": { "line": { "type": "string" } }, "required": ["line"] });
    let none = json!({ "type": "object" });
    let secret = json!({ "type": "object", "required": ["line"],
        "properties": { "line": { "type": "string", "writeOnly": true } } });
    let append = json!([
        { "id": "type", "primitive": "text.insert",
          "args": { "target": { "selector": "#line" }, "text": "{% input.line %}", "mode": "replace" } },
        { "id": "click", "primitive": "pointer.click", "args": { "locator": { "selector": "button" } } },
    ]);
    let read = json!([
        { "id": "read", "primitive": "locator.text_content", "args": { "locator": { "selector": "#log" } } },
    ]);
    let wait = json!([
        { "id": "wait", "primitive": "locator.wait_for",
          "args": { "locator": { "selector": "#never" }, "timeout_ms": 30000 } },
    ]);
    json!({
        "protocol": "actions.json", "version": 1, "surface": { "origin": origin, "name": "Log" },
        "tools": [
            tool("log.append", &line, append.clone(), "{% input.line %}"),
            tool("log.secret", &secret, append, "{% true %}"),
            tool("log.read", &none, read, "{% steps.read.output.text %}"),
            tool("log.wait", &none, wait, "{% true %}"),
            { "name": "log.about", "description": "What the log is.", "input_schema": { "type": "object" },
              "x_actions": { "static_output": { "about": "x".repeat(16_000) } } },
        ],
        "state_projections": [projection(origin)],
    })
}

/// The log as a state.
pub(crate) fn projection(origin: &str) -> Value {
    json!({
        "name": "site.log", "description": "The log.", "scope": { "url_matches": format!("{origin}/*") },
        "snapshot": {
            "version": 1, "source": "dom", "on_missing": "fail",
            "extract": [{ "id": "log", "selector": "#log", "many": false,
                "fields": { "text": { "property": "innerText", "default": "" } } }],
            "projection": { "language": "jsonata", "expression": "{% { 'text': records.log.text } %}" },
            "output_schema": { "type": "object", "required": ["text"],
                "properties": { "text": { "type": "string" } } },
        },
        "summaries": [{ "name": "agent_context", "description": "How long it is.",
                "expression": "{% { 'length': $length(state.text) } %}" }],
    })
}

/// A tool with steps.
pub(crate) fn tool(name: &str, input: &Value, steps: Value, output: &str) -> Value {
    json!({
        "name": name, "description": "A tool.", "input_schema": input,
        "workflow": { "version": 1, "expression_language": "jsonata", "steps": steps, "output": output },
    })
}
