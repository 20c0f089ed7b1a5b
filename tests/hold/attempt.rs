//! One run of a command under attack, and what every run must keep.

use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use actions_testserver::TestServer;
use rustix::process::Pid;
use serde_json::{Value, json};

use crate::seen;

/// The time that every command under attack gets.
pub(super) const LIMIT: Duration = Duration::from_secs(2);

/// What a command may take beyond its time on a busy machine. `cargo xtask hold` judges the figures more strictly.
const TOLERANCE: Duration = Duration::from_secs(3);

/// A map with two tools on a local site, and a folder for the browsers.
pub(super) struct Ground {
    _runtime: tokio::runtime::Runtime,
    folder: tempfile::TempDir,
    _server: TestServer,
}

/// A command that runs.
pub(super) struct Attempt<'g> {
    child: Child,
    begun: Instant,
    ground: &'g Ground,
}

/// A command that has ended.
#[derive(Debug)]
pub(super) struct Ended {
    pub(super) output: Output,
    /// How long after the end of its time.
    pub(super) late: Duration,
}

impl Ground {
    pub(super) fn new() -> Self {
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        let server = runtime.block_on(TestServer::start()).expect("a server");
        server.page(
            "/",
            "<link rel=icon href='data:,'><h1>Maps</h1>
             <button onclick=\"document.querySelector('h1').textContent = 'Pressed'\">Press</button>",
        );
        let folder = tempfile::tempdir().expect("a folder");
        let step = |id: &str, primitive: &str, args: Value| json!({ "id": id, "primitive": primitive, "args": args });
        let at = |selector: &str| json!({ "locator": { "selector": selector } });
        let tool = |name: &str, steps: Value, output: &str| {
            let workflow =
                json!({ "version": 1, "expression_language": "jsonata", "steps": steps, "output": output });
            json!({ "name": name, "description": "A tool.", "workflow": workflow,
                    "input_schema": { "type": "object", "additionalProperties": false } })
        };
        let press = json!([
            step("press", "pointer.click", at("button")),
            step("read", "locator.text_content", at("h1")),
        ]);
        let mut never = at("#never");
        never["timeout_ms"] = json!(60_000);
        let tools = [
            tool("button.press", press, "{% steps.read.output.text %}"),
            tool("page.wait", json!([step("wait", "locator.wait_for", never)]), "{% 1 %}"),
        ];
        let map = json!({ "protocol": "actions.json", "version": 1, "tools": tools,
                          "surface": { "origin": server.origin(), "url": server.url("/") } });
        std::fs::write(folder.path().join("actions.json"), map.to_string()).expect("a map");
        std::fs::create_dir(folder.path().join("tmp")).expect("a folder for browsers");
        Self { _runtime: runtime, folder, _server: server }
    }

    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Starts a tool.
    pub(super) fn start(&self, tool: &str, more: &[&str], variables: &[(&str, String)]) -> Attempt<'_> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_actions"));
        command.arg("run").arg(self.file("actions.json")).args([tool, "--item", "-q"]);
        if !more.contains(&"--timeout") {
            command.args(["--timeout", &format!("{}ms", LIMIT.as_millis())]);
        }
        command.args(more);
        command.env("NO_COLOR", "1").env("TMPDIR", self.file("tmp")).env_remove("ACTIONS_BROWSER");
        command.envs(variables.iter().cloned()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let begun = Instant::now();
        Attempt { child: command.spawn().expect("the command starts"), begun, ground: self }
    }

    /// The numbers and command lines of the processes of the browsers.
    pub(super) fn processes(&self) -> Vec<(Pid, String)> {
        let named = self.file("tmp").display().to_string();
        let entries = std::fs::read_dir("/proc").expect("processes are listed").flatten();
        let lines = entries.filter_map(|entry| {
            let number = entry.file_name().to_str()?.parse().ok()?;
            let line = std::fs::read(entry.path().join("cmdline")).ok()?;
            Some((Pid::from_raw(number)?, String::from_utf8_lossy(&line).into_owned()))
        });
        lines.filter(|(_, line)| line.contains(&named)).collect()
    }

    /// Waits until nothing is left of any browser.
    pub(super) fn is_clean(&self, after: &str) {
        let folder = self.file("tmp");
        let left = || std::fs::read_dir(&folder).expect("a folder").count();
        let begun = Instant::now();
        while left() > 0 || !self.processes().is_empty() {
            assert!(
                begun.elapsed() < Duration::from_secs(20),
                "{after} leaves {} folders and {:?}",
                left(),
                self.processes()
            );
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Attempt<'_> {
    pub(super) fn pid(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    pub(super) fn ground(&self) -> &Ground {
        self.ground
    }

    /// Waits for the end of a command that was killed.
    pub(super) fn killed(mut self) {
        self.child.wait().expect("it ends");
    }

    /// Waits for the end, and checks what holds under every attack: the end comes in time, it is no defect of the
    /// command, and success means that the tool did what it says.
    pub(super) fn end(self, attack: &str, value: &Value) -> Ended {
        let output = self.child.wait_with_output().expect("it ends");
        let late = self.begun.elapsed().saturating_sub(LIMIT);
        let about = || format!("{attack}: {late:?} late, {}", seen(&output));
        assert!(late < TOLERANCE, "{}", about());
        match output.status.code() {
            Some(0) => {
                let item: Value = serde_json::from_slice(&output.stdout).expect("an item");
                assert_eq!(item["output"], *value, "{}", about());
            }
            Some(70) | None => panic!("{}", about()),
            Some(_) => {
                let item: Value = serde_json::from_slice(&output.stdout).expect("an item");
                assert_ne!(item["error"]["code"], "internal_error", "{}", about());
                assert!(item["error"]["code"].is_string(), "{}", about());
            }
        }
        Ended { output, late }
    }
}

/// Formats what was measured as `cargo xtask hold` reads it.
pub(super) fn millis(samples: &[Duration]) -> Vec<u128> {
    samples.iter().map(Duration::as_millis).collect()
}
