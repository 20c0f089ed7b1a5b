//! Dialling out: the seventeen steps by which a runtime of the reference bridge is accepted.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use actions_bridge::connect::Connecting;
use actions_engine::{CancellationToken, Engine};
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use crate::reference::Reference;
use crate::stage::{Stage, map_json, projection};

const PAGE: &str = "s0-1";

/// A runtime that is connected to the reference bridge.
struct Connected {
    stage: Stage,
    bridge: Reference,
    stop: CancellationToken,
    serving: JoinHandle<()>,
    log: Arc<Mutex<Vec<String>>>,
}

impl Connected {
    async fn new() -> Self {
        let (stage, bridge) = (Stage::new(1).await, Reference::start().await);
        let log: Arc<Mutex<Vec<String>>> = Arc::default();
        let reporter = {
            let log = Arc::clone(&log);
            Arc::new(move |line: &str| log.lock().unwrap().push(line.to_owned()))
        };
        let connecting = Connecting::to(&bridge.url(), Arc::new(Engine::new)).unwrap().reporting(reporter);
        let stop = CancellationToken::new();
        let serving = tokio::spawn({
            let (bridge, stop) = (stage.bridge.clone(), stop.clone());
            async move { connecting.serve(&bridge, &stop).await }
        });
        bridge.until("the page is announced", |bridge| bridge.runtimes().len() == 1).await;
        Self { stage, bridge, stop, serving, log }
    }

    fn map(&self) -> Value {
        map_json(&self.stage.server.origin())
    }

    /// A call of a tool of a map of the bridge's storage.
    async fn site_call(&self, action: &str, arguments: Value, timeout_ms: u64) -> crate::reference::Seen {
        let item = json!({ "type": "site_action_call", "action": action, "arguments": arguments,
            "map_path": "sites/log/actions.json", "map": self.map() });
        self.bridge.call(PAGE, item, timeout_ms).await
    }

    async fn state(&self, mode: &str, summary: Value) -> Value {
        let projection = projection(&self.stage.server.origin());
        let item = json!({ "type": "state_projection_call", "mode": mode, "projection_name": "site.log",
            "summary_name": summary, "max_bytes": null, "map_path": "m", "projection": projection });
        self.bridge.call(PAGE, item, 30_000).await.unwrap()["output"].clone()
    }

    async fn end(self) {
        self.stop.cancel();
        self.serving.await.unwrap();
        self.stage.end().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn steps_1_to_3_the_runtime_announces_itself_and_answers_what_comes_unasked() {
    let connected = Connected::new().await;
    let bridge = &connected.bridge;
    let listed = bridge.runtimes();
    assert_eq!((&listed[0]["runtime_id"], &listed[0]["is_live"]), (&json!(PAGE), &json!(true)));
    assert_eq!(listed[0]["title"], "Log");
    bridge
        .until("it answers the first runtime_status", |bridge| !bridge.received("runtime_status").is_empty())
        .await;
    bridge
        .until("the bundle is answered", |bridge| bridge.runtimes()[0]["storage_hydration"] == "imported")
        .await;
    bridge
        .until("the credential is refused", |bridge| {
            !bridge.received("credential_hydration_result").is_empty()
        })
        .await;
    let refused = &bridge.received("credential_hydration_result")[0];
    assert_eq!((&refused["ok"], &refused["configured"]), (&json!(false), &json!(false)));
    assert!(!refused.to_string().contains("sk-"), "{refused}");
    assert!(connected.log.lock().unwrap().iter().all(|line| !line.contains("sk-")));
    connected.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn steps_4_to_9_tools_states_and_primitives_are_called() {
    let connected = Connected::new().await;
    // 4 and 5: the bridge answers a listing by itself; a tool with a workflow arrives with its map.
    let appended = connected.site_call("log.append", json!({ "line": "one" }), 30_000).await.unwrap();
    let output = &appended["output"];
    assert_eq!((&output["ok"], &output["value"]), (&json!(true), &json!("one")), "{appended}");
    assert_eq!((&output["primitive"], &output["action"]), (&json!("actions.workflow"), &json!("log.append")));
    // Another map of the same bridge must be valid.
    let broken = json!({ "type": "site_action_call", "action": "a", "arguments": null, "map_path": "m",
        "map": { "protocol": "actions.json", "tools": 7 } });
    let refused = connected.bridge.call(PAGE, broken, 30_000).await.unwrap();
    assert_eq!(refused["error"]["code"], "manifest_invalid", "{refused}");
    // 6
    let read = connected.state("state_read", Value::Null).await;
    assert_eq!((&read["ok"], &read["projection"]), (&json!(true), &json!("site.log")), "{read}");
    assert_eq!(read["state"]["text"], "one;");
    assert!(
        read["state_hash"].is_string() && read["observed_at"].is_string() && read["diagnostics"].is_object()
    );
    let summary = connected.state("state_summary", json!("agent_context")).await;
    assert_eq!(
        (&summary["summary_name"], &summary["summary"]["length"]),
        (&json!("agent_context"), &json!(4))
    );
    connected.site_call("log.append", json!({ "line": "two" }), 30_000).await.unwrap();
    let diff = connected.state("state_diff", Value::Null).await;
    assert_eq!(diff["ok"], true, "{diff}");
    assert!(diff.to_string().contains("one;two;"), "{diff}");
    // 7 and 8: a handler arrives as its primitive; one that is called directly needs a report.
    let info = connected.bridge.primitive(PAGE, "page.info", json!({})).await.unwrap_err();
    assert_eq!(info.0, 400);
    let report = json!({ "policy_exception_report": { "kind": "generic", "reason": "a test" } });
    let info = connected.bridge.primitive(PAGE, "page.info", report).await.unwrap();
    let output = &info["output"];
    assert_eq!((&output["ok"], &output["primitive"]), (&json!(true), &json!("page.info")), "{info}");
    assert_eq!(output["value"]["title"], "Log");
    // Over HTTP the arguments may be left out.
    let bare = json!({ "type": "action_call", "name": "log.read", "arguments": null });
    let bare = connected.bridge.call(PAGE, bare, 30_000).await.unwrap();
    assert_eq!(bare["output"]["value"], "one;two;", "{bare}");
    // 9
    let unknown = json!({ "type": "action_call", "name": "no.such_tool", "arguments": {} });
    let unknown = connected.bridge.call(PAGE, unknown, 30_000).await.unwrap();
    assert_eq!(
        (&unknown["ok"], &unknown["error"]["code"]),
        (&json!(false), &json!("unknown_action")),
        "{unknown}"
    );
    assert_eq!(unknown["error"]["recoverable"], true);
    connected.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn steps_10_and_11_probes_are_answered_also_during_a_call_and_the_runtime_is_never_silent() {
    let connected = Connected::new().await;
    let bridge = &connected.bridge;
    bridge.always_probe();
    let (slow, quick) = tokio::join!(connected.site_call("log.wait", json!({}), 1_500), async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        let begun = Instant::now();
        let item = json!({ "type": "action_call", "name": "log.about", "arguments": {} });
        // The call itself waits behind the slow one; its probe does not.
        let answer = bridge.call(PAGE, item, 200).await;
        (begun.elapsed(), answer)
    });
    assert_eq!(slow.unwrap_err().0, 504);
    assert_eq!(quick.1.unwrap_err().0, 504, "it was probed and sent, not evicted");
    assert_eq!(bridge.received("runtime_probe_result").len(), 2);
    // An eviction is silent; the runtime comes back with its next announcement.
    let statuses = bridge.received("runtime_status").len();
    bridge
        .until("it reports itself unasked", |bridge| bridge.received("runtime_status").len() > statuses + 1)
        .await;
    bridge.evict(PAGE);
    assert_eq!(connected.site_call("log.read", json!({}), 1_000).await.unwrap_err().0, 404);
    bridge.hang_up();
    bridge.until("it is announced again", |bridge| bridge.runtimes().len() == 1).await;
    connected.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn steps_12_and_13_navigations_and_tabs_are_announced() {
    let connected = Connected::new().await;
    let bridge = &connected.bridge;
    let report = |arguments: Value| {
        let mut arguments = arguments;
        arguments["policy_exception_report"] = json!({ "kind": "generic" });
        arguments
    };
    let next = connected.stage.server.url("/?next");
    bridge.primitive(PAGE, "browser.navigate", report(json!({ "url": next }))).await.unwrap();
    bridge.until("the new address is known", |bridge| bridge.runtimes()[0]["url"] == json!(next)).await;
    let tab = connected.stage.server.url("/?tab");
    bridge.primitive(PAGE, "browser.open_tab", report(json!({ "url": tab }))).await.unwrap();
    bridge.until("both tabs are on one socket", |bridge| bridge.runtimes().len() == 2).await;
    let second = json!({ "type": "action_call", "name": "log.read", "arguments": {} });
    let answer = bridge.call("s0-2", second, 30_000).await.unwrap();
    assert_eq!(answer["output"]["value"], "", "{answer}");
    bridge.primitive("s0-2", "browser.close_tab", report(json!({}))).await.ok();
    bridge.until("one is left", |bridge| bridge.runtimes().len() == 1).await;
    assert_eq!(bridge.received("runtime_removed").len(), 1);
    assert_eq!(bridge.runtimes()[0]["runtime_id"], PAGE);
    connected.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn step_14_a_bridge_that_is_killed_during_a_call_finds_the_runtime_again_with_its_answer() {
    let mut connected = Connected::new().await;
    let call = json!({ "type": "action_call", "call_id": "lost-1", "runtime_id": PAGE, "name": "log.append",
        "arguments": { "line": "kept" } });
    let sent = connected.bridge.call(PAGE, call, 1).await;
    assert_eq!(sent.unwrap_err().0, 504, "the bridge gives up at once");
    let old = std::mem::replace(&mut connected.bridge, Reference::start().await);
    let address = old.kill().await;
    connected.bridge = Reference::start_at(address).await;
    let bridge = &connected.bridge;
    bridge.until("it is announced again", |bridge| bridge.runtimes().len() == 1).await;
    assert_eq!(bridge.runtimes()[0]["runtime_id"], PAGE, "under the same id");
    let item = json!({ "type": "action_call", "name": "log.read", "arguments": {} });
    let read = bridge.call(PAGE, item, 30_000).await.unwrap();
    assert_eq!(read["output"]["value"], "kept;", "the call ran once: {read}");
    for complaint in bridge.complaints() {
        assert!(complaint.starts_with("pending missing"), "{complaint}");
    }
    let log = connected.log.lock().unwrap().clone();
    assert!(log.iter().any(|line| line.contains("broke off")), "{log:?}");
    connected.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn steps_15_to_17_answers_name_their_runtime_slow_calls_show_their_phases_and_nothing_else_is_sent() {
    let connected = Connected::new().await;
    let bridge = &connected.bridge;
    // 16: the evidence of the timeout has the phase that the call was in.
    let (status, error) = connected.site_call("log.wait", json!({}), 1_000).await.unwrap_err();
    assert_eq!((status, &error["code"]), (504, &json!("dispatch_timeout")));
    assert_eq!(error["evidence"]["last_entered_content_phase"], "wait", "{error}");
    assert_eq!(error["evidence"]["action"], "log.wait");
    // 15: every answer names the runtime that was asked, so none is dropped.
    assert!(bridge.complaints().iter().all(|line| !line.contains("mismatch")), "{:?}", bridge.complaints());
    // 17: a bridge that speaks MCP on its standard output prints events there, so none is sent.
    assert!(bridge.received("dom_event").is_empty());
    connected.end().await;
}
