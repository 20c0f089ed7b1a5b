//! `actions serve`: clients call tools of a page, each call is answered once.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{root, seen, stderr, stdout};

const MAP: &str = "sites/example.com/actions.json";
const SEARCH: &str = "sites/example.com/recordings/search.har";
const CART: &str = "sites/example.com/recordings/cart.har";

/// Longer than any answer takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_actions"));
    command.arg("serve").args(arguments).current_dir(root()).env("NO_COLOR", "1");
    command
}

fn call(call_id: &str, name: &str, arguments: Value) -> Value {
    json!({ "type": "action_call", "call_id": call_id, "name": name, "arguments": arguments })
}

/// Sends lines to `actions serve --stdio` and waits for its end.
fn once(arguments: &[&str], lines: &[Value]) -> Output {
    let mut command = command(&["--stdio"]);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the command starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    for line in lines {
        writeln!(stdin, "{line}").expect("the command reads");
    }
    drop(stdin);
    child.wait_with_output().expect("the command ends")
}

fn items(output: &Output) -> Vec<Value> {
    stdout(output).lines().map(|line| serde_json::from_str(line).expect("an item per line")).collect()
}

/// The answers to a call among items.
fn answers<'i>(items: &'i [Value], call_id: &str) -> Vec<&'i Value> {
    let is_answer = |item: &&Value| {
        item["call_id"] == call_id && (item["type"] == "action_call_output" || item["type"] == "action_error")
    };
    items.iter().filter(is_answer).collect()
}

/// The only answer to a call.
fn answer<'i>(items: &'i [Value], call_id: &str) -> &'i Value {
    match answers(items, call_id).as_slice() {
        [one] => one,
        other => panic!("{} answers to {call_id}: {items:#?}", other.len()),
    }
}

/// A command that runs, with the items it prints.
struct Served {
    child: Child,
    stdin: Option<ChildStdin>,
    items: Receiver<Value>,
}

impl Served {
    fn start(arguments: &[&str]) -> Self {
        let mut command = command(&["--stdio"]);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("the command starts");
        let stdout = child.stdout.take().expect("a pipe");
        let (sender, items) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                let item = serde_json::from_str(&line).expect("an item per line");
                if sender.send(item).is_err() {
                    return;
                }
            }
        });
        let stdin = child.stdin.take();
        Self { child, stdin, items }
    }

    fn send(&mut self, item: &Value) {
        writeln!(self.stdin.as_mut().expect("open"), "{item}").expect("the command reads");
    }

    /// Waits for an item. Returns it with those before it.
    fn until(&self, wanted: impl Fn(&Value) -> bool) -> Vec<Value> {
        let begun = Instant::now();
        let mut seen = Vec::new();
        loop {
            let left = PATIENCE.saturating_sub(begun.elapsed());
            let item = self.items.recv_timeout(left).unwrap_or_else(|error| panic!("{error}: {seen:#?}"));
            let found = wanted(&item);
            seen.push(item);
            if found {
                return seen;
            }
        }
    }

    fn answer(&self, call_id: &str) -> Value {
        let is_answer = |item: &Value| {
            item["call_id"] == call_id
                && (item["type"] == "action_call_output" || item["type"] == "action_error")
        };
        self.until(is_answer).pop().expect("the answer is the last one")
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.stdin.take();
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_page_is_announced_and_its_tools_primitives_and_states_are_called() {
    let calls = [
        call("1", "search.submit", json!({ "query": "maps" })),
        call("2", "page.info", json!({})),
        call("3", "actions.site", json!({ "mode": "list" })),
        call("4", "actions.site", json!({ "mode": "call", "action": "site.guide" })),
        call("5", "no.such.tool", json!({})),
        call("6", "search.submit", json!({ "query": 7 })),
    ];
    let output = once(&["--name", "demo", MAP, "--replay", SEARCH], &calls);
    assert_eq!(output.status.code(), Some(0), "{}", seen(&output));
    let items = items(&output);
    assert_eq!(items[0]["type"], "runtime_ready", "{:#}", items[0]);
    assert_eq!(items[0]["runtime_id"], "demo-1");
    assert_eq!(items[0]["tab"]["tab_id"], 1);

    let searched = answer(&items, "1");
    assert_eq!(searched["output"]["total"], 17, "{searched:#}");
    assert_eq!(searched["runtime_id"], "demo-1");
    let progress: Vec<&Value> = items.iter().filter(|item| item["type"] == "action_progress").collect();
    assert!(
        progress.iter().any(|item| item["call_id"] == "1" && item["step"]["ok"] == true),
        "{progress:#?}"
    );
    let readies = items.iter().filter(|item| item["type"] == "runtime_ready");
    let urls: Vec<&Value> = readies.map(|item| &item["url"]).collect();
    assert!(urls.iter().any(|url| url.as_str().is_some_and(|url| url.contains("search"))), "{urls:?}");

    assert!(answer(&items, "2")["output"]["url"].as_str().is_some_and(|url| url.contains("search")));
    let listed = answer(&items, "3");
    assert_eq!(listed["output"]["ok"], true);
    assert!(listed["output"]["actions"].as_array().is_some_and(|tools| tools.len() > 5), "{listed:#}");
    assert!(answer(&items, "4")["output"].is_object() || answer(&items, "4")["output"].is_string());
    assert_eq!(answer(&items, "5")["error"]["code"], "unknown_action");
    assert_eq!(answer(&items, "6")["error"]["code"], "invalid_input");
}

#[test]
fn states_are_read_and_compared_over_the_protocol() {
    let (map, recording) =
        ("sites/board.example/board/actions.json", "sites/board.example/board/recordings/move_card.har");
    let site = |call_id: &str, mode: &str| {
        call(call_id, "actions.site", json!({ "mode": mode, "projection": "site.board" }))
    };
    let move_card = call("move", "card.move", json!({ "card_id": "card-2", "list_id": "done" }));
    let calls =
        [site("read", "state_read"), site("summary", "state_summary"), move_card, site("diff", "state_diff")];
    let output = once(&[map, "--replay", recording], &calls);
    let items = items(&output);
    assert!(answer(&items, "read")["output"]["state"].is_object(), "{}", seen(&output));
    assert_eq!(answer(&items, "summary")["output"]["ok"], true);
    let changes = answer(&items, "diff")["output"]["semantic_deltas"].as_array().map(Vec::len);
    assert_eq!(changes, Some(3), "{:#}", answer(&items, "diff"));
}

#[test]
fn a_repeated_call_is_answered_from_memory_and_a_reused_id_is_refused() {
    let add = call("add", "cart.add", json!({ "item_id": "night-trams", "copies": 2 }));
    let mut served = Served::start(&[MAP, "--replay", CART]);
    served.send(&add);
    let first = served.answer("add");
    assert_eq!(first["output"]["copies"], 2, "{first:#}");
    served.send(&add);
    assert_eq!(served.answer("add"), first);
    served.send(&call("add", "cart.read", json!({})));
    let refused = served.answer("add");
    assert_eq!(refused["error"]["code"], "invalid_input", "{refused:#}");
    served.send(&call("read", "cart.read", json!({})));
    assert_eq!(served.answer("read")["output"]["copies"], 2, "the item was added once");
}

#[test]
fn a_call_is_cancelled_and_bad_items_are_answered() {
    let mut served = Served::start(&[MAP, "--replay", SEARCH]);
    let wait = json!({ "locator": { "selector": "#never" }, "timeout_ms": 50_000 });
    served.send(&call("wait", "locator.wait_for", wait.clone()));
    served.send(&call("behind", "locator.wait_for", wait));
    served.send(&json!({ "type": "action_cancel", "call_id": "behind" }));
    served.send(&json!({ "type": "action_cancel", "call_id": "wait" }));
    assert_eq!(served.answer("wait")["error"]["code"], "cancelled");
    assert_eq!(served.answer("behind")["error"]["code"], "cancelled");
    served.send(&json!({ "type": "action_call", "call_id": "bad", "name": "page.info" }));
    assert_eq!(served.answer("bad")["error"]["code"], "invalid_input");
    served.send(&json!("nonsense"));
    let error = served.until(|item| item["type"] == "action_error").pop().expect("an error");
    assert_eq!((&error["call_id"], &error["error"]["code"]), (&Value::Null, &json!("invalid_input")));
    served.send(&json!({ "type": "action_call", "call_id": "away", "name": "page.info", "arguments": {},
        "target_url_contains": "nowhere.example" }));
    let away = served.answer("away");
    assert_eq!(away["error"]["code"], "runtime_not_found");
    assert_eq!(away["error"]["evidence"]["candidates"].as_array().map(Vec::len), Some(1), "{away:#}");
    let short = json!({ "type": "action_call", "call_id": "short", "name": "locator.wait_for", "timeout_ms": 300,
        "arguments": { "locator": { "selector": "#never" }, "timeout_ms": 50_000 } });
    served.send(&short);
    let late = served.answer("short");
    assert_eq!(late["type"], "action_error", "{late:#}");
}

#[test]
fn nothing_is_served_from_an_invalid_map() {
    let output = once(&["fixtures/demo/broken.json"], &[]);
    assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(3), ""), "{}", seen(&output));
    assert!(stderr(&output).contains("N001"));
}

/// The code blocks of a language in docs/guide/serve.md.
fn documented(language: &str) -> String {
    let text = std::fs::read_to_string(root().join("docs/guide/serve.md")).expect("the guide");
    let (_, rest) = text.split_once(&format!("```{language}\n")).expect("a block of the language");
    rest.split_once("\n```").expect("the end of the block").0.to_owned()
}

#[test]
fn the_clients_of_the_guide_work_in_python_and_javascript() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_actions"));
    let path = format!(
        "{}:{}",
        program.parent().expect("a folder").display(),
        std::env::var("PATH").expect("a path")
    );
    for (language, file, interpreter) in [("python", "client.py", "python3"), ("js", "client.mjs", "node")] {
        let source = documented(language);
        assert!(source.lines().count() <= 34, "a client in thirty lines: {language}");
        let file = folder.path().join(file);
        std::fs::write(&file, source).expect("a writable folder");
        let mut client = Command::new(interpreter);
        client.arg(&file).args([MAP, "--replay", SEARCH, "-q"]).current_dir(root()).env("PATH", &path);
        let output = match client.output() {
            Ok(output) => output,
            Err(error) => {
                eprintln!("skipped: {interpreter} cannot be started: {error}");
                continue;
            }
        };
        assert_eq!(stdout(&output), "17 results\ninvalid_input\n", "{}", seen(&output));
    }
}
