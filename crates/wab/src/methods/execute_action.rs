//! `wab.executeAction`: calls the tool of an action on the current page.

use actions_engine::{CallError, ErrorCode, Millis};
use actions_protocol::WabCode;
use actions_runtime::{Route, ToolCall};
use serde_json::{Map, Value};

use super::{Done, Params, Situation, text};
use crate::message::Fault;

pub(super) async fn perform(situation: Situation<'_>, params: Params) -> Result<Done, Fault> {
    let shared = &situation.bridge.shared;
    let name = text(&params, "name")?;
    let data = match params.get("data") {
        None | Some(Value::Null) => Value::Object(Map::new()),
        Some(data @ Value::Object(_)) => data.clone(),
        Some(_) => return Err(Fault::new(WabCode::InvalidParams, "`data` is no object")),
    };
    let catalogue = shared.catalogue();
    let Some(command) = catalogue.find(name) else {
        return Err(Fault::new(WabCode::ActionNotFound, "there is no such action"));
    };
    if command.requires_auth && situation.session.is_none() {
        return Err(Fault::new(
            WabCode::AuthenticationRequired,
            format!("`{}` needs a session", command.name),
        ));
    }
    if let Some(missing) = situation.granted.missing(command.does.needs) {
        let message = format!("`{}` needs `{}`, which is not granted", command.name, missing.as_str());
        return Err(Fault::new(WabCode::PermissionDenied, message));
    }
    let plan = command.engine.plan(&command.tool).map_err(|error| Fault::of(&error))?;
    plan.accept(data.clone()).map_err(|error| Fault::of(&error))?;
    let timeout = u64::try_from(shared.options.timeout.as_millis()).unwrap_or(u64::MAX);
    let call = ToolCall::of(command.tool.as_str())
        .under(command.engine.clone())
        .arguments(data)
        .by(situation.caller.of_session())
        .on(Route::Current)
        .timeout(Millis(timeout));
    let outcome = Box::pin(shared.session.call(call)).await;
    outcome.result.map(Done::from).map_err(|error: CallError| match error.code {
        // The input was checked before; what is wrong now is inside the tool.
        ErrorCode::InvalidInput => Fault { code: WabCode::ExecutionFailed, ..Fault::of(&error) },
        _ => Fault::of(&error),
    })
}
