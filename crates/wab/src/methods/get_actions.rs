//! `wab.getActions`: lists the actions, of a category if one is named.

use actions_protocol::WabCode;
use serde_json::Value;

use super::{Done, Params, Situation};
use crate::message::Fault;

pub(super) async fn perform(situation: Situation<'_>, params: Params) -> Result<Done, Fault> {
    let category = match params.get("category") {
        None | Some(Value::Null) => None,
        Some(Value::String(category)) => Some(category.as_str()),
        Some(_) => return Err(Fault::new(WabCode::InvalidParams, "`category` is no text")),
    };
    let catalogue = situation.bridge.shared.catalogue();
    let listed =
        catalogue.commands.iter().filter(|command| category.is_none_or(|one| command.category() == one));
    Ok(listed.map(|command| command.to_json()).collect::<Value>().into())
}
