//! Clients that disappear in the middle of a call that changes the page: the call ends as the guide says, and other clients
//! notice nothing.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use actions_testserver::{Response, TestServer};
use serde_json::{Value, json};

use super::client::{Client, Era, Person};
use super::http::{Connected, Served, bearer, stateless, stateless_headers};

/// Two buttons. The server hears of each press, and decides when the page is ready for the second one.
const PAGE: &str = r#"
<title>Presses</title><p id=count>0</p>
<button id=first onclick="press('first')">First</button><button id=second onclick="press('second')">Second</button>
<script>
  const press = (which) => { count.textContent = Number(count.textContent) + 1; fetch('/pressed/' + which); };
  const wait = async () => {
    if ((await fetch('/go')).ok) document.body.append(Object.assign(document.createElement('p'), { id: 'ready', textContent: 'Ready' }));
    else setTimeout(wait, 50);
  };
  wait();
</script>
"#;

/// The page, its server and its map.
struct Presses {
    server: TestServer,
    go: Arc<AtomicBool>,
    folder: tempfile::TempDir,
}

impl Presses {
    async fn serve() -> Self {
        let server = TestServer::start().await.expect("a server");
        let go: Arc<AtomicBool> = Arc::default();
        server.page("/", PAGE);
        let may_go = Arc::clone(&go);
        server.route("/go", move |_| Response::status(if may_go.load(Ordering::SeqCst) { 204 } else { 404 }));
        for path in ["/pressed/first", "/pressed/second"] {
            server.route(path, |_| Response::status(204));
        }
        let tool = |name: &str, steps: Value, output: &str| {
            json!({
                "name": name, "description": "A tool.", "input_schema": { "type": "object" },
                "workflow": { "version": 1, "expression_language": "jsonata", "steps": steps, "output": output },
            })
        };
        let press = |id: &str| json!({ "id": id, "primitive": "pointer.click", "args": { "locator": { "selector": format!("#{id}") } } });
        let twice = json!([
            press("first"),
            { "id": "ready", "primitive": "locator.wait_for",
              "args": { "locator": { "selector": "#ready" }, "timeout_ms": 60_000 } },
            press("second"),
        ]);
        let read = json!([
            { "id": "read", "primitive": "locator.text_content", "args": { "locator": { "selector": "#count" } } },
        ]);
        let map = json!({
            "protocol": "actions.json", "version": 1, "surface": { "origin": server.origin(), "name": "Presses" },
            "tools": [
                tool("presses.twice", twice, "{% { 'done': true } %}"),
                tool("presses.read", read, "{% { 'presses': $number(steps.read.output.text) } %}"),
            ],
        });
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("actions.json"), map.to_string()).expect("a map");
        Self { server, go, folder }
    }

    fn map(&self) -> String {
        self.folder.path().join("actions.json").display().to_string()
    }

    /// Lets the page become ready for the second press.
    fn go_on(&self) {
        self.go.store(true, Ordering::SeqCst);
    }

    /// How often a button was pressed, as the server knows it.
    fn pressed(&self, which: &str) -> usize {
        let path = format!("/pressed/{which}");
        self.server.served().iter().filter(|served| served.request.path == path).count()
    }
}

const NONE: fn() -> Value = || json!({});

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn by_http_without_a_session_the_call_of_a_client_that_disappears_is_cancelled_where_it_is() {
    let presses = Presses::serve().await;
    let served = Served::start(&presses.map());
    let bearer = bearer();
    let other = Connected::begin(&served);
    assert_eq!(other.call("presses_read", NONE())["presses"], 0);
    let gone = served.send(&stateless_headers(&bearer, "presses_twice"), &stateless("presses_twice", NONE()));
    presses.server.asked_for("/pressed/first").await;
    drop(gone);
    // The call is over as soon as the page takes the next one, which sees what it had done.
    let begun = Instant::now();
    let ask = |tool: &str| {
        let (status, _, answer) = served.ask(&stateless_headers(&bearer, tool), &stateless(tool, NONE()));
        assert_eq!(status, 200, "{answer:#}");
        answer["result"]["structuredContent"].clone()
    };
    assert_eq!(ask("presses_read")["presses"], 1);
    assert!(begun.elapsed() < Duration::from_secs(30), "{:?}", begun.elapsed());
    presses.go_on();
    assert_eq!(ask("presses_twice")["done"], true, "the page works on");
    assert_eq!(ask("presses_read")["presses"], 3);
    assert_eq!(
        (presses.pressed("first"), presses.pressed("second")),
        (2, 1),
        "the cancelled call pressed once"
    );
    assert_eq!(other.call("presses_read", NONE())["presses"], 0, "the page of the other client is as it was");
    assert_eq!(other.call("presses_twice", NONE())["done"], true);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn by_http_with_a_session_the_call_of_a_client_that_disappears_goes_on() {
    let presses = Presses::serve().await;
    let served = Served::start(&presses.map());
    let bearer = bearer();
    let (leaving, other) = (Connected::begin(&served), Connected::begin(&served));
    let call = json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/call",
        "params": { "name": "presses_twice", "arguments": {} } });
    let gone = served.send(&leaving.headers(&bearer), &call);
    presses.server.asked_for("/pressed/first").await;
    drop(gone);
    assert_eq!(other.call("presses_read", NONE())["presses"], 0, "another client is served meanwhile");
    assert_eq!(presses.pressed("second"), 0);
    presses.go_on();
    presses.server.asked_for("/pressed/second").await;
    assert_eq!(leaving.call("presses_read", NONE())["presses"], 2, "the client comes back to its page");
    assert_eq!((presses.pressed("first"), presses.pressed("second")), (1, 1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn on_standard_input_and_output_the_call_of_a_client_that_disappears_ends_with_its_server() {
    let presses = Presses::serve().await;
    for era in [Era::Handshake("2025-11-25"), Era::Stateless] {
        let before = presses.pressed("first");
        let mut leaving = Client::start(&[&presses.map(), "--yes"], era, Person::Absent);
        let mut other = Client::start(&[&presses.map(), "--yes"], era, Person::Absent);
        assert_eq!(other.value("presses_read", NONE())["presses"], 0);
        leaving.begin("tools/call", json!({ "name": "presses_twice", "arguments": {} }));
        let begun = Instant::now();
        while presses.pressed("first") == before {
            assert!(begun.elapsed() < Duration::from_secs(60), "the call has not begun");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let took = leaving.leave();
        assert!(took < Duration::from_secs(20), "{took:?}");
        assert_eq!((presses.pressed("first"), presses.pressed("second")), (before + 1, 0));
        assert_eq!(other.value("presses_read", NONE())["presses"], 0, "the other client notices nothing");
        other.leave();
    }
}
