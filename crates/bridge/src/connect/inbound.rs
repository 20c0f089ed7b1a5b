//! Reads what the peer sends.

use std::sync::Arc;

use actions_engine::{CallError, ErrorCode, Millis, SiteRequest};
use actions_protocol::{ByteLimit, CallId, RuntimeId};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::maps::PeerMaps;
use crate::bridge::Bridge;
use crate::client::Client;
use crate::order::Wrap;
use crate::request::{Asked, Request, digest};
use crate::routing::Wanted;

/// How long a call may take: the peer gives up then, and does not say so.
const PATIENCE: Millis = Millis(30_000);

/// How much later than the caller's own time limit a call ends, so that a wait can report its own end.
const LATER: u64 = 250;

/// The longest name of a provider that is repeated.
const PROVIDER: usize = 32;

/// What the peer sends. It speaks more; what is unknown is ignored, as it ignores what it does not know.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Received {
    RuntimeStatus {},
    RuntimeProbe {
        probe_id: Value,
        runtime_id: String,
    },
    ActionCall {
        call_id: String,
        runtime_id: String,
        name: String,
        arguments: Option<Value>,
    },
    SiteActionCall {
        call_id: String,
        runtime_id: String,
        action: String,
        arguments: Option<Value>,
        map: Value,
    },
    StateProjectionCall(StateProjectionCall),
    CredentialHydration {
        provider: Option<String>,
    },
}

#[derive(Deserialize)]
struct StateProjectionCall {
    call_id: String,
    runtime_id: String,
    mode: String,
    projection_name: String,
    summary_name: Option<String>,
    max_bytes: Option<usize>,
    projection: Value,
}

/// Takes a message of the peer. Returns what is answered at once, out of the order of calls.
pub(super) fn receive(text: &str, bridge: &Bridge, client: &Arc<Client>, maps: &PeerMaps) -> Vec<Value> {
    // The message is never logged: it may hold a key.
    let Ok(received) = serde_json::from_str::<Received>(text) else { return Vec::new() };
    match received {
        Received::RuntimeStatus {} => {
            return bridge.shared.statuses().iter().map(|status| json!(status)).collect();
        }
        Received::RuntimeProbe { probe_id, runtime_id } => {
            let known = RuntimeId::parse(&runtime_id);
            let alive = known.is_ok_and(|id| bridge.shared.served().contains_key(&id));
            return vec![json!({ "type": "runtime_probe_result", "probe_id": probe_id, "alive": alive })];
        }
        Received::CredentialHydration { provider } => {
            let is_name =
                |name: &String| name.len() <= PROVIDER && name.chars().all(|c| c.is_ascii_alphanumeric());
            let provider = provider.filter(is_name).unwrap_or_else(|| "openai".to_owned());
            return vec![json!({
                "type": "credential_hydration_result", "ok": false, "configured": false, "provider": provider,
            })];
        }
        Received::ActionCall { call_id, runtime_id, name, arguments } => {
            let arguments = arguments.filter(|arguments| !arguments.is_null()).unwrap_or_else(|| json!({}));
            if name == "storage.import_bundle" {
                return vec![imported(&call_id, &runtime_id, &arguments)];
            }
            let limit = arguments["timeout_ms"].as_u64().map(|own| Millis(own.saturating_add(LATER)));
            let work = Asked::named(name.clone(), arguments);
            let call = Called { call_id, runtime_id, action: name, limit };
            call.submit(work, text, bridge, client);
        }
        Received::SiteActionCall { call_id, runtime_id, action, arguments, map } => {
            let arguments = arguments.filter(|arguments| !arguments.is_null()).unwrap_or_else(|| json!({}));
            let tool = action.clone();
            let work = maps.engine(&map).map(|map| Asked::Mapped { tool, arguments, map });
            let call = Called { call_id, runtime_id, action, limit: None };
            call.submit(work, text, bridge, client);
        }
        Received::StateProjectionCall(state) => {
            let map = maps.projection(&state.projection);
            let StateProjectionCall { call_id, runtime_id, mode, projection_name: projection, .. } = state;
            let (summary, max_bytes) = (state.summary_name, state.max_bytes.map(ByteLimit));
            let name = projection.clone();
            let request = match (mode.as_str(), summary) {
                ("state_read", _) => Ok(SiteRequest::StateRead { projection, max_bytes, timeout: None }),
                ("state_summary", summary) => Ok(SiteRequest::StateSummary {
                    projection,
                    summary: summary.unwrap_or_else(|| "agent_context".to_owned()),
                    arguments: json!({}),
                    max_bytes,
                    timeout: None,
                }),
                ("state_diff", _) => Ok(SiteRequest::StateDiff { projection, max_bytes, timeout: None }),
                _ => {
                    let message = "the mode is state_read, state_summary or state_diff";
                    Err(CallError::new(ErrorCode::InvalidInput, message))
                }
            };
            let work = map.and_then(|map| Ok(Asked::Projected { request: request?, map }));
            let call = Called { call_id, runtime_id, action: name, limit: None };
            call.submit(work, text, bridge, client);
        }
    }
    Vec::new()
}

struct Called {
    call_id: String,
    runtime_id: String,
    action: String,
    limit: Option<Millis>,
}

impl Called {
    fn submit(self, work: Result<Asked, CallError>, text: &str, bridge: &Bridge, client: &Arc<Client>) {
        // An id that is no id cannot be answered in a way that the peer would accept.
        let (Ok(call_id), Ok(runtime_id)) =
            (CallId::parse(&self.call_id), RuntimeId::parse(&self.runtime_id))
        else {
            return;
        };
        let request = Request {
            call_id,
            action: self.action,
            wanted: Wanted::runtime(runtime_id.clone()),
            work,
            limit: Some(self.limit.unwrap_or(PATIENCE)),
            bytes: text.len(),
            digest: digest(text),
            wrap: Wrap::Peer { runtime_id },
        };
        bridge.shared.submit(client, request);
    }
}

/// The answer to a bundle of the peer's storage. Nothing of it is kept: maps arrive with their calls.
fn imported(call_id: &str, runtime_id: &str, arguments: &Value) -> Value {
    let entries = arguments["bundle"]["entries"].as_array().or_else(|| arguments["entries"].as_array());
    let mut value = Map::new();
    value.insert("entry_count".to_owned(), json!(entries.map_or(0, Vec::len)));
    value.insert("stored".to_owned(), json!(false));
    json!({
        "type": "action_call_output", "call_id": call_id, "runtime_id": runtime_id,
        "output": {
            "ok": true, "primitive": "storage.import_bundle", "adapter": "actions",
            "entry_count": value["entry_count"], "value": value,
        },
    })
}
