//! A server with pages, and maps of them.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use actions_browser::Browser;
use actions_browser::chromium::{LaunchOptions, launch};
use actions_engine::{CallError, Engine};
use actions_runtime::{Launcher, OpenSession, Runtime, RuntimeEvent, RuntimeOptions};
use actions_testserver::TestServer;
use async_trait::async_trait;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use tokio::sync::broadcast::Receiver;

/// A page with a log that its button appends to, one line per click, and a login in a cookie.
pub(crate) const LOG: &str = r#"
<title>Log</title>
<input id=line><button onclick="log.append(line.value + ';')">Append</button><p id=log></p>
<p id=user></p>
<script>user.textContent = document.cookie.replace('user=', '') || 'nobody is logged in'</script>
"#;

/// A server with pages, and the process ids of the browsers that were launched for it.
pub(crate) struct Stage {
    pub(crate) server: TestServer,
    launched: Arc<Mutex<Vec<u32>>>,
}

/// Launches Chromium and keeps its process id.
struct Noting {
    launched: Arc<Mutex<Vec<u32>>>,
}

#[async_trait]
impl Launcher for Noting {
    async fn launch(&self) -> Result<Arc<dyn Browser>, CallError> {
        let browser = launch(LaunchOptions::default()).await.expect("a browser is installed").browser;
        self.launched.lock().unwrap().push(browser.process_id().expect("a process of ours"));
        Ok(Arc::new(browser))
    }
}

impl Stage {
    pub(crate) async fn new() -> Self {
        let server = TestServer::start().await.unwrap();
        server.page("/", LOG);
        server.page("/popup", "<title>Popup</title><p id=log>from the popup</p>");
        Self { server, launched: Arc::default() }
    }

    pub(crate) fn runtime(&self, options: RuntimeOptions) -> Runtime {
        Runtime::new(Noting { launched: Arc::clone(&self.launched) }, options)
    }

    /// How many browsers were launched.
    pub(crate) fn launches(&self) -> usize {
        self.launched.lock().unwrap().len()
    }

    /// Kills the browser that was launched last.
    pub(crate) fn kill_browser(&self) {
        let pid = *self.launched.lock().unwrap().last().expect("a browser was launched");
        let pid = Pid::from_raw(i32::try_from(pid).unwrap()).unwrap();
        kill_process(pid, Signal::KILL).expect("the browser runs");
    }

    /// A map of the log.
    pub(crate) fn map(&self) -> Engine {
        let line =
            json!({ "type": "object", "properties": { "line": { "type": "string" } }, "required": ["line"] });
        let tools = [
            tool(
                "log.append",
                &line,
                json!([
                    { "id": "type", "primitive": "text.insert",
                      "args": { "target": { "selector": "#line" }, "text": "{% input.line %}", "mode": "replace" } },
                    { "id": "click", "primitive": "pointer.click",
                      "args": { "locator": { "selector": "button" } } },
                ]),
                "{% true %}",
            ),
            tool(
                "log.read",
                &json!({ "type": "object" }),
                json!([
                    { "id": "read", "primitive": "locator.text_content", "args": { "locator": { "selector": "#log" } } },
                ]),
                "{% steps.read.output.text %}",
            ),
            tool(
                "user.read",
                &json!({ "type": "object" }),
                json!([
                    { "id": "read", "primitive": "locator.text_content", "args": { "locator": { "selector": "#user" } } },
                ]),
                "{% steps.read.output.text %}",
            ),
            tool(
                "log.wait",
                &json!({ "type": "object" }),
                json!([
                    { "id": "wait", "primitive": "locator.wait_for",
                      "args": { "locator": { "selector": "#never" }, "timeout_ms": 30000 } },
                ]),
                "{% true %}",
            ),
        ];
        self.engine("log.json", &tools)
    }

    pub(crate) fn engine(&self, name: &str, tools: &[Value]) -> Engine {
        let map = json!({
            "protocol": "actions.json", "version": 1,
            "surface": { "origin": self.server.origin(), "name": "Log" }, "tools": tools,
        });
        Engine::from_bytes(name, map.to_string().as_bytes()).expect("a valid map")
    }

    pub(crate) fn open(&self, name: &str) -> OpenSession {
        OpenSession::named(name).map(self.map())
    }
}

pub(crate) fn tool(name: &str, input: &Value, steps: Value, output: &str) -> Value {
    json!({
        "name": name, "description": "A tool.", "input_schema": input,
        "workflow": { "version": 1, "expression_language": "jsonata", "steps": steps, "output": output },
    })
}

/// Waits for an event.
pub(crate) async fn wait_for(events: &mut Receiver<RuntimeEvent>, wanted: impl Fn(&RuntimeEvent) -> bool) {
    let found = async { while !wanted(&events.recv().await.expect("the runtime reports it")) {} };
    tokio::time::timeout(Duration::from_secs(30), found).await.expect("the event comes");
}

/// Waits until something is true.
pub(crate) async fn until(what: &str, is_true: impl Fn() -> bool) {
    let waiting = async {
        while !is_true() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), waiting).await.unwrap_or_else(|_| panic!("{what}"));
}
