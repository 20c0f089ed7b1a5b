//! A runtime that has dialled out, as a transcript sees it: what a caller of the reference bridge asks for goes to the runtime
//! in the items of that bridge, and what the runtime sends is read without the envelope that the bridge wants.

use std::sync::Arc;

use actions_bridge::connect::Connecting;
use actions_engine::{CancellationToken, Engine};
use serde_json::{Map, Value, json};
use tokio::task::JoinHandle;

use crate::reference::Reference;
use crate::stage::Stage;

/// Keys of a call that the reference bridge uses by itself and does not pass on.
const KEPT_BACK: [&str; 5] =
    ["timeout_ms", "target", "target_runtime_id", "target_url_contains", "target_title_contains"];

/// A runtime that is connected to the reference bridge.
pub(crate) struct Dialled {
    bridge: Reference,
    map: Value,
    /// How many of the items that arrived were returned.
    taken: usize,
    stop: CancellationToken,
    serving: JoinHandle<()>,
}

impl Dialled {
    /// Connects the runtime. The map is the one that the bridge has in its storage.
    pub(crate) async fn new(stage: &Stage, map: Value) -> Self {
        let bridge = Reference::start().await;
        let connecting = Connecting::to(&bridge.url(), Arc::new(Engine::new)).unwrap();
        let stop = CancellationToken::new();
        let serving = tokio::spawn({
            let (bridge, stop) = (stage.bridge.clone(), stop.clone());
            async move { connecting.serve(&bridge, &stop).await }
        });
        bridge.until("the page is announced", |bridge| bridge.runtimes().len() == 1).await;
        Self { bridge, map, taken: 0, stop, serving }
    }

    /// Sends what the bridge makes of an item.
    pub(crate) fn send(&self, item: &Value) {
        self.bridge.say(&self.translated(item).to_string());
    }

    /// The next item of the runtime.
    pub(crate) async fn next(&mut self) -> Value {
        let mut item = self.bridge.item(self.taken).await;
        self.taken += 1;
        if item["output"]["ok"] == true && item["output"]["primitive"].is_string() {
            item["output"] = item["output"]["value"].take();
        }
        item
    }

    pub(crate) async fn end(self) {
        self.stop.cancel();
        self.serving.await.unwrap();
    }

    /// The item that the bridge sends to the runtime that is meant.
    fn translated(&self, item: &Value) -> Value {
        let mut call: Map<String, Value> = item.as_object().cloned().expect("an item is an object");
        let runtime_id = self.chosen(item);
        KEPT_BACK.iter().for_each(|key| drop(call.remove(*key)));
        call.insert("runtime_id".to_owned(), runtime_id);
        let (call_id, runtime_id) = (&call["call_id"], &call["runtime_id"]);
        if call["name"] != "actions.site" {
            return Value::Object(call);
        }
        // The bridge reads the mode by itself and sends the part of the map that it needs.
        let asked = &call["arguments"];
        let path = "sites/log/actions.json";
        if asked["mode"] == "call" {
            return json!({ "type": "site_action_call", "call_id": call_id, "runtime_id": runtime_id,
                "action": asked["action"], "arguments": asked["arguments"], "map_path": path, "map": self.map });
        }
        let projections = self.map["state_projections"].as_array().expect("a list");
        let projection = projections.iter().find(|one| one["name"] == asked["projection"]);
        json!({ "type": "state_projection_call", "call_id": call_id, "runtime_id": runtime_id, "mode": asked["mode"],
            "projection_name": asked["projection"], "summary_name": asked["summary"], "max_bytes": null,
            "map_path": path, "projection": projection.expect("a projection of the map") })
    }

    /// The runtime that the bridge chooses: the one that is named, else the only one that fits.
    fn chosen(&self, item: &Value) -> Value {
        if item["runtime_id"].is_string() {
            return item["runtime_id"].clone();
        }
        let part = item["target_url_contains"].as_str().unwrap_or_default();
        let runtimes = self.bridge.runtimes();
        let mut fitting =
            runtimes.iter().filter(|one| one["url"].as_str().is_some_and(|url| url.contains(part)));
        fitting.next().expect("a runtime fits")["runtime_id"].clone()
    }
}
