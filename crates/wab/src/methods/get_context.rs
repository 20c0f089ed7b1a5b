//! `wab.getContext`: says what the session of the agent may do.

use serde_json::json;

use super::{Done, Params, Situation, VERSION};
use crate::message::Fault;

pub(super) async fn perform(situation: Situation<'_>, _params: Params) -> Result<Done, Fault> {
    let shared = &situation.bridge.shared;
    let left = situation.session.map(|known| known.ends.saturating_duration_since(shared.now()).as_secs());
    let page = shared.session.pages().into_iter().find(|page| page.is_current);
    let result = json!({
        "version": VERSION,
        "permissions": situation.granted.to_json(),
        "session": {
            "authenticated": situation.session.is_some(),
            "ttl": left.unwrap_or_else(|| shared.options.session_ttl.as_secs()),
        },
        "tier": "free",
        "url": page.map(|page| page.page.url()),
    });
    Ok(result.into())
}
