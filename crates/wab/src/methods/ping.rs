//! `wab.ping`: says that the bridge works.

use actions_engine::Timestamp;
use serde_json::{Value, json};

use super::{Done, Params, Situation, VERSION};
use crate::message::Fault;

pub(super) async fn perform(situation: Situation<'_>, _params: Params) -> Result<Done, Fault> {
    Ok(pong(situation.bridge.shared.options.clock.unix_millis()).into())
}

/// The answer to a ping at a time.
pub(crate) fn pong(unix_millis: u64) -> Value {
    json!({ "status": "ok", "timestamp": Timestamp::from_unix_millis(unix_millis).to_string(), "version": VERSION })
}
