//! `wab.subscribe`: subscribes to events. Clients without a connection get the address of a stream.

use actions_protocol::WabCode;
use serde_json::{Value, json};

use super::{Done, Params, Situation};
use crate::caller::new_id;
use crate::event::is_event;
use crate::message::Fault;

/// The most events of a subscription.
const MOST: usize = 64;

pub(super) async fn perform(situation: Situation<'_>, params: Params) -> Result<Done, Fault> {
    let invalid = |why: &str| Fault::new(WabCode::InvalidParams, why);
    let listed = params
        .get("events")
        .and_then(Value::as_array)
        .ok_or_else(|| invalid("`events` is missing, or is no list"))?;
    let events: Option<Vec<String>> = listed.iter().map(|event| event.as_str().map(str::to_owned)).collect();
    let events = events
        .filter(|events| !events.is_empty() && events.len() <= MOST)
        .ok_or_else(|| invalid("`events` is empty, too long, or has something that is no text"))?;
    if let Some(unknown) = events.iter().find(|event| !is_event(event)) {
        let shown: String = unknown.chars().filter(|c| !c.is_control()).take(100).collect();
        return Err(invalid(&format!("`{shown}` is not an event")));
    }
    let id = new_id("sub");
    let mut result = json!({ "subscriptionId": id, "events": events });
    if let Some(stream) = &situation.caller.stream {
        let shared = &situation.bridge.shared;
        shared.wait_for_client(&id, events.clone(), situation.session.map(|known| known.id));
        result["stream"] = json!(format!("{stream}{id}"));
    }
    Ok(Done { subscribed: events, ..Done::from(result) })
}
