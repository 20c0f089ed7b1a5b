//! Several clients by streamable HTTP: the gate, sessions of their own, and clients that are slow or disappear.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use super::prints::Prints;
use crate::root;

pub(super) const TOKEN: &str = "token-of-the-tests-0123456789";
const PATIENCE: Duration = Duration::from_secs(60);

/// `actions mcp --listen`.
pub(super) struct Served {
    child: Child,
    pub(super) address: String,
    _folder: tempfile::TempDir,
}

impl Served {
    pub(super) fn start(map: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("token");
        std::fs::write(&file, TOKEN).expect("a token");
        std::fs::set_permissions(&file, std::os::unix::fs::PermissionsExt::from_mode(0o600)).expect("a mode");
        let mut command = Command::new(env!("CARGO_BIN_EXE_actions"));
        command
            .args(["mcp", map, "--yes", "--allow-primitives", "--listen", "127.0.0.1:0", "--token-file"])
            .arg(&file);
        command.current_dir(root()).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the command starts");
        let mut stderr = BufReader::new(child.stderr.take().expect("a pipe"));
        let mut line = String::new();
        stderr.read_line(&mut line).expect("a line");
        let url = line.trim();
        let address = url.strip_prefix("http://").and_then(|rest| rest.strip_suffix("/mcp"));
        let address = address.unwrap_or_else(|| panic!("no address: {line}")).to_owned();
        // What else it prints must not stop it.
        std::thread::spawn(move || std::io::copy(&mut stderr, &mut std::io::sink()));
        Self { child, address, _folder: folder }
    }

    /// Sends a request and leaves the answer where it is.
    pub(super) fn send(&self, headers: &[(&str, &str)], body: &Value) -> TcpStream {
        let mut stream = TcpStream::connect(&self.address).expect("a connection");
        stream.set_read_timeout(Some(PATIENCE)).expect("a limit");
        let body = body.to_string();
        let mut head = format!(
            "POST /mcp HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: {}\r\n",
            body.len()
        );
        head.push_str("Accept: application/json, text/event-stream\r\n");
        let host = ("Host", self.address.as_str());
        let given = |name: &str| headers.iter().any(|(known, _)| known.eq_ignore_ascii_case(name));
        let host = [host].into_iter().filter(|_| !given("host"));
        for (name, value) in host.chain(headers.iter().copied()) {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        write!(stream, "{head}\r\n{body}").expect("the server reads");
        stream
    }

    /// The status, the session and the last message of an answer.
    pub(super) fn ask(&self, headers: &[(&str, &str)], body: &Value) -> (u16, Option<String>, Value) {
        let mut text = String::new();
        self.send(headers, body).read_to_string(&mut text).expect("an answer");
        let status = text.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        let header =
            |line: &str| line.to_ascii_lowercase().strip_prefix("mcp-session-id: ").map(str::to_owned);
        let session = text.lines().find_map(header);
        let mut json = text.lines().filter_map(|line| {
            let line = line.strip_prefix("data: ").unwrap_or(line);
            serde_json::from_str::<Value>(line).ok().filter(Value::is_object)
        });
        (status, session, json.next_back().unwrap_or_default())
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let pid = self.child.id().to_string();
        // It may have ended already.
        let _ = Command::new("kill").args(["-TERM", &pid]).status();
        let _ = self.child.wait();
    }
}

/// A client of the era with a handshake.
pub(super) struct Connected<'s> {
    served: &'s Served,
    session: String,
}

impl<'s> Connected<'s> {
    pub(super) fn begin(served: &'s Served) -> Self {
        let info = json!({ "name": "test", "version": "1" });
        let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info });
        let hello = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params });
        let (status, session, answer) = served.ask(&[("Authorization", &bearer())], &hello);
        assert_eq!(status, 200, "{answer:#}");
        let this = Self { served, session: session.expect("a session") };
        let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        assert_eq!(served.ask(&this.headers(&bearer()), &ready).0, 202);
        this
    }

    pub(super) fn headers<'h>(&'h self, bearer: &'h str) -> [(&'h str, &'h str); 3] {
        [("Authorization", bearer), ("Mcp-Session-Id", &self.session), ("MCP-Protocol-Version", "2025-11-25")]
    }

    pub(super) fn call(&self, tool: &str, arguments: Value) -> Value {
        let params = json!({ "name": tool, "arguments": arguments });
        let body = json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params });
        let (status, _, answer) = self.served.ask(&self.headers(&bearer()), &body);
        assert_eq!(status, 200, "{answer:#}");
        answer["result"]["structuredContent"].clone()
    }
}

pub(super) fn bearer() -> String {
    format!("Bearer {TOKEN}")
}

pub(super) fn stateless(tool: &str, arguments: Value) -> Value {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
    });
    let params = json!({ "name": tool, "arguments": arguments, "_meta": meta });
    json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params })
}

pub(super) fn stateless_headers<'h>(bearer: &'h str, tool: &'h str) -> [(&'h str, &'h str); 4] {
    [
        ("Authorization", bearer),
        ("MCP-Protocol-Version", "2026-07-28"),
        ("Mcp-Method", "tools/call"),
        ("Mcp-Name", tool),
    ]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_clients_with_the_token_for_this_host_and_from_no_foreign_page_are_served() {
    let prints = Prints::serve().await;
    let served = Served::start(&prints.map());
    let bearer = bearer();
    let token = ("Authorization", bearer.as_str());
    let hello = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } } });
    let table: [(&[(&str, &str)], u16); 5] = [
        (&[], 401),
        (&[("Authorization", "Bearer wrong-token-0123456789")], 401),
        (&[token, ("Host", "rebound.example")], 403),
        (&[token, ("Origin", "https://evil.example")], 403),
        (&[token], 200),
    ];
    for (headers, expected) in table {
        assert_eq!(served.ask(headers, &hello).0, expected, "{headers:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn clients_with_a_handshake_have_pages_of_their_own_and_stateless_ones_use_handles() {
    let prints = Prints::serve().await;
    let served = Served::start(&prints.map());
    let (one, two) = (Connected::begin(&served), Connected::begin(&served));
    one.call("prints_search", json!({ "query": "map" }));
    assert_eq!(one.call("basket_add", json!({ "id": "print-1" }))["copies"], 1);
    assert_eq!(two.call("basket_read", json!({}))["copies"], 0);
    let bearer = bearer();
    let ask = |tool: &str, arguments: Value| {
        let (status, session, answer) =
            served.ask(&stateless_headers(&bearer, tool), &stateless(tool, arguments));
        assert_eq!((status, session), (200, None), "{answer:#}");
        answer["result"]["structuredContent"].clone()
    };
    let opened = ask("actions_page", json!({ "mode": "open", "new_session": true }));
    let page = opened["page"].as_str().unwrap_or_else(|| panic!("{opened:#}"));
    assert_eq!(ask("basket_read", json!({ "_page": page }))["copies"], 0);
    ask("prints_search", json!({ "query": "map", "_page": page }));
    assert_eq!(ask("basket_add", json!({ "id": "print-1", "_page": page }))["copies"], 1);
    assert_eq!(ask("basket_read", json!({}))["copies"], 0, "the session of the server is another one");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_slow_client_and_one_that_disappears_do_not_disturb_another() {
    let prints = Prints::serve().await;
    let served = Served::start(&prints.map());
    let bearer = bearer();
    let steady = Connected::begin(&served);
    steady.call("prints_search", json!({ "query": "map" }));
    // This client sends requests and reads nothing.
    let slow = Connected::begin(&served);
    let read = json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {
        "name": "actions_site", "arguments": { "mode": "list" } } });
    let unread: Vec<TcpStream> = (0..8).map(|_| served.send(&slow.headers(&bearer), &read)).collect();
    // This client disappears in the middle of a call.
    let wait = json!({ "name": "locator.wait_for", "arguments": { "locator": { "selector": "#never" }, "timeout_ms": 60_000 } });
    let gone =
        served.send(&stateless_headers(&bearer, "actions_primitive"), &stateless("actions_primitive", wait));
    std::thread::sleep(Duration::from_millis(1_500));
    drop(gone);
    for copies in 1..=5 {
        assert_eq!(steady.call("basket_add", json!({ "id": "print-1" }))["copies"], copies);
    }
    // The call of the client that disappeared was cancelled: its page is free.
    let begun = std::time::Instant::now();
    let (status, _, answer) =
        served.ask(&stateless_headers(&bearer, "basket_read"), &stateless("basket_read", json!({})));
    assert_eq!(status, 200, "{answer:#}");
    assert_eq!(answer["result"]["structuredContent"]["copies"], 0, "{answer:#}");
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    drop(unread);
}
