//! A client of MCP for tests, in both eras, on standard input and output.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};

use crate::root;

/// Longer than any answer takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(90);

/// An era of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Era {
    /// With a handshake, of this version.
    Handshake(&'static str),
    /// Without a handshake: every request says what its client can do.
    Stateless,
}

/// What the person at the client answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Person {
    /// The client cannot ask.
    Absent,
    Agrees,
    Refuses,
}

/// A client of `actions mcp`.
pub(super) struct Client {
    pub(super) child: Child,
    stdin: Option<ChildStdin>,
    messages: Receiver<Value>,
    era: Era,
    person: Person,
    last: u64,
    /// What came beside answers.
    pub(super) heard: Vec<Value>,
}

impl Client {
    pub(super) fn start(arguments: &[&str], era: Era, person: Person) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_actions"));
        command.arg("mcp").args(arguments);
        Self::of(command, era, person)
    }

    /// The client of a command that is ready to be started.
    pub(super) fn of(mut command: Command, era: Era, person: Person) -> Self {
        command.current_dir(root()).env("NO_COLOR", "1");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("the command starts");
        let stdout = child.stdout.take().expect("a pipe");
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                let message = serde_json::from_str(&line).expect("standard output has messages only");
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let stdin = child.stdin.take();
        let mut client = Self { child, stdin, messages, era, person, last: 0, heard: Vec::new() };
        if let Era::Handshake(version) = era {
            let info = json!({ "name": "test", "version": "1" });
            let hello = json!({ "protocolVersion": version, "capabilities": client.capabilities(), "clientInfo": info });
            let answer = client.request("initialize", hello);
            assert_eq!(answer["result"]["protocolVersion"], version, "{answer:#}");
            client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        }
        client
    }

    fn capabilities(&self) -> Value {
        match self.person {
            Person::Absent => json!({}),
            Person::Agrees | Person::Refuses => json!({ "elicitation": { "form": {} } }),
        }
    }

    pub(super) fn send(&mut self, message: &Value) {
        self.send_text(&message.to_string());
    }

    pub(super) fn send_text(&mut self, text: &str) {
        writeln!(self.stdin.as_mut().expect("open"), "{text}").expect("the command reads");
    }

    /// Sends a request. Returns its id.
    pub(super) fn begin(&mut self, method: &str, params: Value) -> u64 {
        self.last += 1;
        let mut params: Map<String, Value> = params.as_object().cloned().unwrap_or_default();
        if self.era == Era::Stateless {
            let meta = params.entry("_meta").or_insert_with(|| json!({}));
            meta["io.modelcontextprotocol/protocolVersion"] = json!("2026-07-28");
            meta["io.modelcontextprotocol/clientCapabilities"] = self.capabilities();
            meta["io.modelcontextprotocol/clientInfo"] = json!({ "name": "test", "version": "1" });
        }
        self.send(&json!({ "jsonrpc": "2.0", "id": self.last, "method": method, "params": params }));
        self.last
    }

    /// Waits for a message. Those before it are heard; questions to the person are answered.
    pub(super) fn until(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        let begun = Instant::now();
        loop {
            let left = PATIENCE.saturating_sub(begun.elapsed());
            let message =
                self.messages.recv_timeout(left).unwrap_or_else(|error| panic!("{error}: {:#?}", self.heard));
            if message["method"] == "elicitation/create" {
                let result = match self.person {
                    Person::Agrees => json!({ "action": "accept", "content": { "confirm": true } }),
                    _ => json!({ "action": "decline" }),
                };
                self.send(&json!({ "jsonrpc": "2.0", "id": message["id"], "result": result }));
            }
            if wanted(&message) {
                return message;
            }
            self.heard.push(message);
        }
    }

    /// Waits for the answer to a request.
    pub(super) fn answer(&mut self, id: u64) -> Value {
        self.until(|message| message["id"] == id && message.get("method").is_none())
    }

    pub(super) fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.begin(method, params);
        self.answer(id)
    }

    /// The answer to a call of a tool. A client of the era without a handshake asks its person when it is asked to.
    pub(super) fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let answer = self.request("tools/call", json!({ "name": tool, "arguments": arguments }));
        let result = &answer["result"];
        if result["resultType"] != "input_required" {
            return answer;
        }
        let asked = result["inputRequests"].as_object().expect("requests");
        let response = match self.person {
            Person::Agrees => json!({ "action": "accept", "content": { "confirm": true } }),
            _ => json!({ "action": "decline" }),
        };
        let responses: Map<String, Value> = asked.keys().map(|key| (key.clone(), response.clone())).collect();
        let again = json!({
            "name": tool, "arguments": arguments, "inputResponses": responses, "requestState": result["requestState"],
        });
        self.request("tools/call", again)
    }

    /// The structured content of a call that succeeds.
    pub(super) fn value(&mut self, tool: &str, arguments: Value) -> Value {
        let answer = self.call(tool, arguments);
        assert!(answer["result"]["isError"] != true && answer.get("error").is_none(), "{tool}: {answer:#}");
        answer["result"]["structuredContent"].clone()
    }

    /// The error of a call that fails.
    pub(super) fn failure(&mut self, tool: &str, arguments: Value) -> Value {
        let answer = self.call(tool, arguments);
        assert_eq!(answer["result"]["isError"], true, "{tool}: {answer:#}");
        answer["result"]["structuredContent"]["error"].clone()
    }

    /// The tools that are listed.
    pub(super) fn tools(&mut self) -> Vec<Value> {
        let answer = self.request("tools/list", json!({}));
        answer["result"]["tools"].as_array().cloned().unwrap_or_else(|| panic!("{answer:#}"))
    }

    /// The names of the tools that are listed.
    pub(super) fn names(&mut self) -> Vec<String> {
        self.tools().iter().map(|tool| tool["name"].as_str().expect("a name").to_owned()).collect()
    }

    /// The text of a resource.
    pub(super) fn read(&mut self, uri: &str) -> Value {
        let answer = self.request("resources/read", json!({ "uri": uri }));
        answer["result"]["contents"][0].clone()
    }

    /// Closes standard input and waits for the end. Returns how long it took.
    pub(super) fn leave(mut self) -> Duration {
        self.stdin.take();
        let begun = Instant::now();
        while begun.elapsed() < PATIENCE {
            if let Some(status) = self.child.try_wait().expect("a child") {
                assert!(status.success(), "{status}");
                return begun.elapsed();
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("the command did not end");
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.stdin.take();
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_secs(10) {
            if matches!(self.child.try_wait(), Ok(Some(_)) | Err(_)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        // It did not end by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
