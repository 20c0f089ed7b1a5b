//! `wab.authenticate`: begins a session with a key.

use actions_engine::Timestamp;
use actions_protocol::WabCode;
use serde_json::json;

use super::{Done, Params, Situation, text};
use crate::message::Fault;

pub(super) async fn perform(situation: Situation<'_>, params: Params) -> Result<Done, Fault> {
    let shared = &situation.bridge.shared;
    if situation.caller.is_far {
        let message = "keys travel only with TLS; put a server with TLS on the machine of the bridge";
        return Err(Fault::new(WabCode::PermissionDenied, message));
    }
    let key = text(&params, "apiKey")?;
    let Some((agent, permissions)) = shared.options.keys.find(key) else {
        return Err(Fault::new(WabCode::InvalidToken, "the bridge does not know the key"));
    };
    // What the bridge grants is asked for at each command, so that a session never has more than that.
    let granted = shared.permissions().and(permissions);
    let ttl = shared.options.session_ttl;
    let begun = shared.sessions.begin(agent, &situation.caller.holder, permissions, ttl, shared.now())?;
    let ends =
        shared.options.clock.unix_millis().saturating_add(u64::try_from(ttl.as_millis()).unwrap_or(u64::MAX));
    let mut result = json!({
        "sessionToken": begun.token,
        "expiresAt": Timestamp::from_unix_millis(ends).to_string(),
        "permissions": granted.to_json(),
    });
    if !shared.options.strict {
        result["token"] = json!(begun.token);
        result["expiresIn"] = json!(ttl.as_secs());
    }
    Ok(Done { session: Some(begun.known), ..Done::from(result) })
}
