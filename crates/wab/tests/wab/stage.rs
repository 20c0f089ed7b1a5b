//! A restaurant with a page and a map, a bridge that serves it, and agents of ours that talk to it.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use actions_doors::{Gate, Token};
use actions_engine::browser::{Deadline, Error, Page, SystemClock};
use actions_engine::{
    CancellationToken, Engine, Failure, WabCall, WabCaller, WabPage, WabPageAnswer, WabReply, WabTransport,
};
use actions_interop::credentials::{Credential, Credentials, Scheme, Secret};
use actions_interop::fetch::Client;
use actions_interop::identity::Identity;
use actions_interop::wab::Agent;
use actions_manifest::{Options, validate};
use actions_runtime::{ChromiumLauncher, MapVersion, OpenSession, Runtime, RuntimeOptions, RuntimeSession};
use actions_testserver::TestServer;
use actions_wab::audit::{Audit, Entry};
use actions_wab::listen::Listening;
use actions_wab::{Bridge, BridgeOptions, Keys, Permission, Permissions, page_global};
use async_trait::async_trait;
use serde_json::{Value, json};
use tokio::task::JoinHandle;

/// The key of an agent that may do everything.
pub(crate) const KEY: &str = "key-of-the-tests-0123456789";
/// The key of an agent that may only read.
pub(crate) const READER: &str = "key-of-the-reader-0123456789";

fn fixture(name: &str) -> String {
    let path = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/wab")).join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Keeps entries of the log.
#[derive(Debug, Default)]
pub(crate) struct Log {
    entries: Mutex<Vec<Value>>,
}

impl Audit for Log {
    fn keep(&self, entry: &Entry) {
        self.entries.lock().unwrap().push(json!(entry));
    }
}

impl Log {
    pub(crate) fn entries(&self) -> Vec<Value> {
        self.entries.lock().unwrap().clone()
    }
}

/// The bridge of the restaurant.
pub(crate) struct Stage {
    pub(crate) server: TestServer,
    pub(crate) address: SocketAddr,
    pub(crate) session: RuntimeSession,
    pub(crate) log: Arc<Log>,
    runtime: Option<Arc<Runtime>>,
    stop: CancellationToken,
    serving: JoinHandle<()>,
}

/// The keys of the tests.
pub(crate) fn keys() -> Keys {
    let keys = Keys::default().with("everything", KEY, Permissions::ALL).unwrap();
    keys.with("reader", READER, Permissions::of([Permission::ReadContent])).unwrap()
}

impl Stage {
    /// A bridge with the options of the tests.
    pub(crate) async fn new() -> Self {
        Self::with(BridgeOptions::default()).await
    }

    /// A bridge with these options, and the keys of the tests.
    pub(crate) async fn with(options: BridgeOptions) -> Self {
        let server = TestServer::start().await.unwrap();
        server.page("/", fixture("restaurant.html"));
        let map = fixture("restaurant.actions.json").replace("https://restaurant.example", &server.origin());
        let validation = validate("restaurant.actions.json", map.as_bytes(), &Options::default());
        let findings = format!("{:#?}", validation.findings);
        let engine = Engine::new(validation.manifest.unwrap_or_else(|| panic!("{findings}")));
        let runtime = Runtime::new(ChromiumLauncher::default(), RuntimeOptions::default());
        let session =
            runtime.open(OpenSession::named("restaurant").map(engine.clone())).await.expect("a session");
        let log = Arc::new(Log::default());
        let audit: Arc<dyn Audit> = Arc::clone(&log) as Arc<dyn Audit>;
        let options = BridgeOptions { keys: keys(), audit, ..options };
        let bridge =
            Bridge::new(&runtime, session.clone(), &[MapVersion::of(engine)], options).expect("a bridge");
        let gate = Gate::new(Token::random().unwrap());
        let listening = Listening::at("127.0.0.1:0".parse().unwrap(), gate).await.unwrap();
        let address = listening.url().split('/').nth(2).unwrap().parse().unwrap();
        let stop = CancellationToken::new();
        let runtime = Arc::new(runtime);
        let serving = tokio::spawn({
            let (stop, runtime) = (stop.clone(), Arc::clone(&runtime));
            async move {
                tokio::join!(listening.serve(&bridge, &stop), page_global::serve(&bridge, &runtime, &stop));
            }
        });
        Self { server, address, session, log, runtime: Some(runtime), stop, serving }
    }

    /// The address of a path of the bridge.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// The page that the bridge works on.
    pub(crate) fn page(&self) -> Arc<dyn Page> {
        Arc::clone(&self.session.pages()[0].page)
    }

    /// Waits until the page has the bridge.
    pub(crate) async fn page_is_ready(&self) {
        let page = self.page();
        for _ in 0..600 {
            let deadline = Deadline::after(&SystemClock, Duration::from_secs(10));
            match page.call_page_function("AICommands.ping", &[], deadline).await {
                Ok(_) => return,
                Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
            }
        }
        panic!("the page has no bridge");
    }

    /// The place of the bridge on each transport.
    pub(crate) fn places(&self) -> actions_engine::WabPlaces {
        actions_engine::WabPlaces {
            http: Some(self.url("/api/wab")),
            websocket: Some(format!("ws://{}/ws/wab", self.address)),
            js_global: Some("window.AICommands".to_owned()),
        }
    }

    /// A command on one transport.
    pub(crate) fn call(&self, transport: WabTransport, method: &str, params: Value) -> WabCall {
        // In the page, the site is that of the page; elsewhere it is where the bridge is served.
        let url = match transport {
            WabTransport::JsGlobal => self.server.origin() + "/",
            _ => self.url("/"),
        };
        let mut call = WabCall::new(url, method, params);
        call.places = self.places();
        call.order = vec![transport];
        call
    }

    /// Sends a command by an agent.
    pub(crate) async fn send(&self, agent: &Agent, call: WabCall) -> Result<WabReply, Failure> {
        let functions = Functions { page: self.page() };
        agent.command(call, &functions, Deadline::after(&SystemClock, Duration::from_secs(60))).await
    }

    /// Sends a request to the bridge.
    pub(crate) async fn ask(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<Value>,
    ) -> Answer {
        // The client of the tests wants a choice although it uses no TLS.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        let method = reqwest::Method::from_bytes(method.as_bytes()).unwrap();
        let mut request = client.request(method, self.url(path));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        if let Some(body) = body {
            request = request.header("content-type", "application/json").body(body.to_string());
        }
        let response = request.send().await.unwrap();
        let status = response.status().as_u16();
        let headers = response.headers().clone();
        let text = response.text().await.unwrap();
        Answer { status, headers, body: serde_json::from_str(&text).unwrap_or(Value::Null) }
    }

    /// The token of a new session, by HTTP.
    pub(crate) async fn token(&self, key: &str) -> String {
        let answer =
            self.ask("POST", "/api/wab/authenticate", &[], Some(json!({ "apiKey": key, "meta": {} }))).await;
        answer.body["result"]["sessionToken"].as_str().unwrap_or_else(|| panic!("{answer:?}")).to_owned()
    }

    pub(crate) async fn end(mut self) {
        self.stop.cancel();
        self.serving.await.unwrap();
        let runtime = self.runtime.take().and_then(|runtime| Arc::try_unwrap(runtime).ok());
        runtime.expect("nobody else has the runtime").close().await;
    }
}

/// A response of the bridge.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: reqwest::header::HeaderMap,
    pub(crate) body: Value,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    pub(crate) fn code(&self) -> &str {
        self.body["error"]["code"].as_str().unwrap_or_default()
    }
}

/// An agent with a key for the bridge, and for the site of the page.
pub(crate) fn agent(stage: &Stage, key: Option<&str>) -> Agent {
    let credentials = Credentials::in_memory();
    if let Some(key) = key {
        for origin in [stage.url(""), stage.server.origin()] {
            let credential = Credential { scheme: Scheme::Wab, secret: Secret::new(key), header: None };
            credentials.set(&origin, "wab", credential).unwrap();
        }
    }
    Agent::new(Client::new(Identity::default()).unwrap(), Arc::new(credentials))
}

/// The functions of the page of the bridge.
pub(crate) struct Functions {
    pub(crate) page: Arc<dyn Page>,
}

#[async_trait]
impl WabPage for Functions {
    fn url(&self) -> String {
        self.page.url()
    }

    async fn call(&self, path: &str, args: &[Value], deadline: Deadline) -> WabPageAnswer {
        match self.page.call_page_function(path, args, deadline).await {
            Ok(value) => WabPageAnswer::Value(value),
            Err(Error::PageFunctionMissing { .. }) => WabPageAnswer::Missing,
            Err(Error::DocumentReplaced { .. } | Error::HandleStale) => WabPageAnswer::Navigated,
            Err(error) => WabPageAnswer::Failed(error.into()),
        }
    }
}
