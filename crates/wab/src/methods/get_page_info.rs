//! `wab.getPageInfo`: says what the page of the bridge is.

use actions_runtime::{Route, ToolCall};
use serde_json::{Value, json};

use super::{Done, Params, Situation, VERSION};
use crate::message::Fault;

pub(super) async fn perform(situation: Situation<'_>, _params: Params) -> Result<Done, Fault> {
    let shared = &situation.bridge.shared;
    let described = json!({
        "extract": [{
            "id": "description",
            "selector": "meta[name=description]",
            "many": false,
            "fields": { "content": { "attribute": "content" } },
        }],
    });
    let call = ToolCall::of_primitive("dom.extract")
        .arguments(described)
        .on(Route::Current)
        .by(situation.caller.of_session());
    let read = Box::pin(shared.session.call(call)).await.result.map_err(|error| Fault::of(&error))?;
    let description =
        read.pointer("/records/description/content").and_then(Value::as_str).unwrap_or_default();
    let result = json!({
        "title": read["title"],
        "url": read["url"],
        "description": description,
        "bridgeVersion": VERSION,
        "actionsCount": shared.catalogue().commands.len(),
        "permissions": situation.granted.to_json(),
    });
    Ok(result.into())
}
