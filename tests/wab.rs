//! Tests of `actions serve --wab`, and of `actions run`, `import` and `validate` with what it publishes.

use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use actions_testserver::TestServer;
use serde_json::Value;

use super::{actions, root, stderr, stdout};

/// Longer than any answer takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);
const KEY: &str = "key-of-the-tests-0123456789";

/// A restaurant, and a command that is its bridge.
struct Served {
    child: Child,
    lines: Receiver<String>,
    folder: tempfile::TempDir,
    _server: TestServer,
    _runtime: tokio::runtime::Runtime,
}

impl Served {
    fn start(more: &[&str]) -> Self {
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        let server = runtime.block_on(TestServer::start()).expect("a port is free");
        let read =
            |name: &str| std::fs::read_to_string(root().join("fixtures/wab").join(name)).expect("a fixture");
        server.page("/", read("restaurant.html"));
        let folder = tempfile::tempdir().expect("a scratch folder");
        let map = read("restaurant.actions.json").replace("https://restaurant.example", &server.origin());
        std::fs::write(folder.path().join("map.json"), map).expect("the folder is writable");
        let key = folder.path().join("key");
        std::fs::write(&key, KEY).expect("the folder is writable");
        std::fs::set_permissions(&key, std::fs::Permissions::from_mode(0o600)).expect("the file is ours");
        let mut child = Command::new(env!("CARGO_BIN_EXE_actions"))
            .args(["serve", "map.json", "--wab", "--listen", "127.0.0.1:0", "--token-file", "key"])
            .args(more)
            .current_dir(folder.path())
            .env("NO_COLOR", "1")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the command starts");
        let stderr = child.stderr.take().expect("a pipe");
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stderr).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Self { child, lines, folder, _server: server, _runtime: runtime }
    }

    /// The address of the bridge, once it listens.
    fn address(&self) -> String {
        let mut before = String::new();
        loop {
            let line = self.lines.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("no address: {before}"));
            if let Some(address) = line.strip_suffix("/agent-bridge.json") {
                return address.to_owned();
            }
            before += &line;
            before.push('\n');
        }
    }

    /// Runs a command with a file of credentials of its own, without a browser.
    fn actions(&self, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_actions"))
            .args(arguments)
            .current_dir(root())
            .env("NO_COLOR", "1")
            .env("ACTIONS_CREDENTIALS", self.path("credentials.json"))
            .env("ACTIONS_BROWSER", "/nonexistent/browser")
            .env("WAB_KEY", KEY)
            .output()
            .expect("the command starts")
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // The browser ends with the command.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn an_agent_uses_the_tools_of_a_bridge_by_its_address() {
    let served = Served::start(&["--require-auth-for-writes", "--wab-log", "log.jsonl"]);
    let address = served.address();
    let listed = served.actions(&["list", &address]);
    assert!(stdout(&listed).contains("order_place"), "{} {}", stdout(&listed), stderr(&listed));
    let found = served.actions(&["run", &address, "menu_search", "--arg", "query=soup"]);
    let value: Value = serde_json::from_slice(&found.stdout).unwrap_or_else(|_| panic!("{}", stderr(&found)));
    assert_eq!(value["total"], 2);
    let order = ["--arg", "items=[\"s1\"]", "--arg", "address=Harbour 1", "--yes"];
    let refused = served.actions(&[&["run", &address, "order_place"], &order[..]].concat());
    assert!(stderr(&refused).contains("auth_required"), "{}", stderr(&refused));
    let stored = served.actions(&[
        "auth",
        "set",
        &address,
        "--system",
        "wab",
        "--scheme",
        "wab",
        "--from-env",
        "WAB_KEY",
    ]);
    assert!(stored.status.success(), "{}", stderr(&stored));
    let placed = served.actions(&[&["run", &address, "order_place"], &order[..]].concat());
    assert!(stdout(&placed).contains("Order 1: s1 to Harbour 1"), "{} {}", stdout(&placed), stderr(&placed));
    let log = std::fs::read_to_string(served.path("log.jsonl")).expect("a log");
    assert!(log.contains("\"method\":\"wab.executeAction\"") && !log.contains(KEY), "{log}");
    let kept = served.path("imported.json");
    let imported = served.actions(&["import", &address, "-o", &kept]);
    assert!(imported.status.success() && Path::new(&kept).exists(), "{}", stderr(&imported));
}

#[test]
fn a_discovery_document_is_validated_with_places_and_codes() {
    let document = "fixtures/interop/wab/published/trust_envelope.json";
    let output = actions(&["validate", "--as", "wab", document]);
    assert!(!output.status.success());
    let shown = format!("{}{}", stdout(&output), stderr(&output));
    assert!(shown.contains("WAB015"), "{shown}");
    let explained = actions(&["explain", "WAB015"]);
    assert!(stdout(&explained).contains("payload"), "{}", stdout(&explained));
}
