//! Calls functions of the page script: one round trip each.

use chromiumoxide_cdp::cdp::js_protocol::runtime::{
    CallArgument, CallFunctionOnParams, CallFunctionOnReturns, ExceptionDetails, RemoteObjectId,
};
use serde_json::Value;

use super::ChromiumPage;
use super::world::Script;
use crate::{Call, Deadline, Error, FrameId, Handle, script};

/// How often a call looks for a new document before it gives up; every try but the last ended without the call
/// having begun, or was allowed to be repeated.
const TRIES: u32 = 16;

impl ChromiumPage {
    pub(super) async fn call_script(&self, call: Call<'_>, deadline: Deadline) -> Result<String, Error> {
        let arguments = [Value::from(call.function), Value::from(call.args.as_str())];
        let mut tries = 0;
        loop {
            tries += 1;
            let script = self.script(call.frame, deadline).await?;
            let may_repeat = tries < TRIES && call.nodes.is_empty();
            match self.call_once(&script, script::CALL, &arguments, call.nodes, true, deadline).await {
                Ok(answer) => {
                    if let Some(exception) = &answer.exception_details {
                        return Err(thrown(call.function, exception));
                    }
                    match answer.result.value {
                        Some(Value::String(text)) => return Ok(text),
                        // The script is not in this world after all.
                        _ if may_repeat => self.forget_world(call.frame, &script),
                        _ => {
                            return Err(Error::AnswerUnreadable {
                                method: call.function.to_owned(),
                                detail: "the page script gave no text".to_owned(),
                            });
                        }
                    }
                }
                Err(Failed::NotBegun) if may_repeat => self.forget_world(call.frame, &script),
                Err(Failed::NotBegun) => return Err(Error::HandleStale),
                Err(Failed::CutOff) if may_repeat && call.repeatable => {
                    self.forget_world(call.frame, &script);
                }
                Err(Failed::CutOff) => {
                    return Err(Error::DocumentReplaced { during: format!("{} ran", call.function) });
                }
                Err(Failed::Error(error)) => return Err(error),
            }
        }
    }

    /// Gives the object a function of the driver gives, in the world of a frame.
    pub(super) async fn object_of(
        &self,
        frame: &FrameId,
        declaration: &str,
        arguments: &[Value],
        nodes: &[Handle],
        deadline: Deadline,
    ) -> Result<Option<Handle>, Error> {
        let mut tries = 0;
        loop {
            tries += 1;
            let script = self.script(frame, deadline).await?;
            match self.call_once(&script, declaration, arguments, nodes, false, deadline).await {
                Ok(answer) => {
                    if let Some(exception) = &answer.exception_details {
                        return Err(thrown("the locator", exception));
                    }
                    let object = answer.result.object_id.map(String::from);
                    return Ok(object.map(|object| Handle { frame: frame.clone(), object }));
                }
                Err(Failed::NotBegun | Failed::CutOff) if tries < TRIES && nodes.is_empty() => {
                    self.forget_world(frame, &script);
                }
                Err(Failed::NotBegun | Failed::CutOff) => return Err(Error::HandleStale),
                Err(Failed::Error(error)) => return Err(error),
            }
        }
    }

    async fn call_once(
        &self,
        script: &Script,
        declaration: &str,
        arguments: &[Value],
        nodes: &[Handle],
        by_value: bool,
        deadline: Deadline,
    ) -> Result<CallFunctionOnReturns, Failed> {
        self.refuse_if_blocked().map_err(Failed::Error)?;
        let values = arguments.iter().map(|value| CallArgument {
            value: Some(value.clone()),
            unserializable_value: None,
            object_id: None,
        });
        let handles = nodes.iter().map(|node| CallArgument {
            value: None,
            unserializable_value: None,
            object_id: Some(RemoteObjectId::from(node.object.clone())),
        });
        let command = CallFunctionOnParams {
            object_id: Some(RemoteObjectId::from(script.object.clone())),
            arguments: Some(values.chain(handles).collect()),
            return_by_value: Some(by_value),
            await_promise: Some(true),
            silent: Some(true),
            ..CallFunctionOnParams::new(declaration)
        };
        self.answer(script.session.send(command, deadline)).await.map_err(Failed::from)
    }
}

/// How a call failed, as far as repeating it goes.
enum Failed {
    /// The document was gone before the call reached it.
    NotBegun,
    /// The document went away while the call ran.
    CutOff,
    Error(Error),
}

impl From<Error> for Failed {
    /// The protocol has no codes for these; Chromium's sentences are all there is.
    fn from(error: Error) -> Self {
        const NOT_BEGUN: &[&str] = &[
            "Cannot find context",
            "Could not find object",
            "Invalid remote object id",
            "Argument should belong to the same JavaScript world",
        ];
        const CUT_OFF: &[&str] = &[
            "Execution context was destroyed",
            "Inspected target navigated or closed",
            "Promise was collected",
            "Cannot find default execution context",
        ];
        match &error {
            Error::Refused { message, .. } => {
                let says = |sentences: &[&str]| sentences.iter().any(|one| message.contains(one));
                match () {
                    () if says(NOT_BEGUN) => Failed::NotBegun,
                    () if says(CUT_OFF) => Failed::CutOff,
                    () if message.contains("Target crashed") => Failed::Error(Error::PageCrashed),
                    () => Failed::Error(error),
                }
            }
            // The frame moved to another process; whether it is still part of the page shows at the next look.
            Error::FrameDetached { .. } => Failed::CutOff,
            _ => Failed::Error(error),
        }
    }
}

pub(super) fn thrown(function: &str, exception: &ExceptionDetails) -> Error {
    let thrown = exception.exception.as_ref();
    let message = thrown
        .and_then(|thrown| thrown.description.clone())
        .or_else(|| thrown.and_then(|thrown| thrown.value.as_ref().map(Value::to_string)))
        .unwrap_or_else(|| exception.text.clone());
    Error::ScriptFailed { function: function.to_owned(), message }
}
