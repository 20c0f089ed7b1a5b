//! An agent that finds the bridge by its address, makes a map of it, and calls the tools.

use std::sync::Arc;

use actions_engine::{Engine, ErrorCode, Host, WabCaller};
use actions_interop::fetch::Client;
use actions_interop::identity::Identity;
use actions_interop::import::{Wishes, live};
use actions_interop::wab::Agent;
use actions_manifest::{Options, Profile, validate};
use actions_wab::{BridgeOptions, Permission, Permissions};
use serde_json::{Value, json};

use crate::stage::{KEY, Stage, agent};

/// A program around the engine that sends commands.
#[derive(Debug)]
struct Sending(Agent);

impl Host for Sending {
    fn wab(&self) -> Option<&dyn WabCaller> {
        Some(&self.0)
    }
}

/// The map of the bridge, as an agent that is strict makes it.
async fn imported(stage: &Stage) -> Value {
    let client = Client::new(Identity::default()).unwrap();
    let wishes = Wishes { profile: Profile::Strict, ..Wishes::default() };
    let imported = live::import(&client, &stage.url("/"), &wishes).await.expect("a map");
    assert_eq!(
        imported.findings.iter().map(|finding| finding.rule.code).collect::<Vec<_>>(),
        Vec::<&str>::new()
    );
    imported.map
}

fn engine(map: &Value) -> Engine {
    let text = map.to_string();
    let validation = validate("imported.json", text.as_bytes(), &Options::default());
    Engine::new(validation.manifest.expect("a valid map"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn b4_an_agent_discovers_authenticates_executes_and_confirms() {
    let stage = Stage::with(BridgeOptions { auth_for_writes: true, ..BridgeOptions::default() }).await;
    let map = imported(&stage).await;
    let host: Arc<dyn Host> = Arc::new(Sending(agent(&stage, Some(KEY))));
    let session = engine(&map).without_page().with_host(host);
    let call = async |tool: &str, arguments: Value| {
        session.call(format!("a_127_0_0_1.{tool}")).arguments(arguments).run().await.result
    };
    let found = call("menu_search", json!({ "query": "soup" })).await.unwrap();
    assert_eq!(found["total"], 2, "{found}");
    let order = json!({ "items": ["s1", "b1"], "address": "Harbour 1" });
    let placed = call("order_place", order).await.unwrap();
    assert_eq!(placed["receipt"], "Order 1: s1, b1 to Harbour 1");
    let seen = call("wab.read_content", json!({ "selector": "#receipt" })).await.unwrap();
    assert_eq!(seen["text"], "Order 1: s1, b1 to Harbour 1");
    let entries = stage.log.entries();
    let place = |method: &str| entries.iter().position(|entry| entry["method"] == method);
    assert!(place("wab.authenticate") < place("wab.executeAction"), "{entries:#?}");
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn b5_without_a_key_an_action_that_needs_a_session_is_not_sent() {
    let stage = Stage::with(BridgeOptions { auth_for_writes: true, ..BridgeOptions::default() }).await;
    let host: Arc<dyn Host> = Arc::new(Sending(agent(&stage, None)));
    let session = engine(&imported(&stage).await).without_page().with_host(host);
    let order = json!({ "items": ["s1"], "address": "Harbour 1" });
    let error = session.call("a_127_0_0_1.order_place").arguments(order).run().await.result.unwrap_err();
    assert_eq!(error.code, ErrorCode::AuthRequired);
    assert!(stage.log.entries().is_empty());
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn b7_a_command_whose_permission_is_not_granted_becomes_no_tool() {
    let withheld = Permissions::of([Permission::Navigate]);
    let stage = Stage::with(BridgeOptions { withheld, ..BridgeOptions::default() }).await;
    let client = Client::new(Identity::default()).unwrap();
    let imported = live::import(&client, &stage.url("/"), &Wishes::default()).await.expect("a map");
    let names: Vec<&str> =
        imported.map["tools"].as_array().unwrap().iter().filter_map(|tool| tool["name"].as_str()).collect();
    assert!(
        names.contains(&"a_127_0_0_1.menu_search") && !names.contains(&"a_127_0_0_1.menu_view"),
        "{names:?}"
    );
    let left_out = &imported.site.left_out;
    assert!(
        left_out.iter().any(|one| one.id == "menu_view" && one.reason.contains("permission_denied")),
        "{left_out:?}"
    );
    stage.end().await;
}
