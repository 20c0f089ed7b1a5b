//! Sends one call to the page script of a document.

use serde_json::Value;

use super::ChromiumPage;
use super::refusal::Refusal;
use super::runtime::{Argument, CallFunctionOn, Outcome};
use super::scripting::TRIES;
use super::world::Script;
use crate::{Call, Deadline, Error, FrameId, Handle};

/// What a call returns.
#[derive(Clone, Copy)]
pub(super) enum Wanted<'c> {
    /// The answer of a function of the page script.
    Text(&'c Call<'c>),
    /// An object, kept as a handle.
    Object,
}

impl ChromiumPage {
    /// Calls a function of the driver in the world of a frame, and returns a handle on the object it returns.
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
            match self.call_once(&script, declaration, arguments, nodes, Wanted::Object, deadline).await {
                Ok(outcome) => {
                    let object = outcome.object("the locator")?;
                    return Ok(object.map(|object| Handle { frame: frame.clone(), object }));
                }
                Err(Refusal::NotBegun | Refusal::CutOff) if tries < TRIES && nodes.is_empty() => {
                    self.forget_world(frame, &script);
                }
                Err(Refusal::NotBegun | Refusal::CutOff) => return Err(Error::HandleStale),
                Err(Refusal::Other(error)) => return Err(error),
            }
        }
    }

    pub(super) async fn call_once(
        &self,
        script: &Script,
        declaration: &str,
        arguments: &[Value],
        nodes: &[Handle],
        wanted: Wanted<'_>,
        deadline: Deadline,
    ) -> Result<Outcome, Refusal> {
        self.refuse_if_blocked().map_err(Refusal::Other)?;
        let values = arguments.iter().map(Argument::Value);
        let handles = nodes.iter().map(|node| Argument::ObjectId(&node.object));
        let command = CallFunctionOn {
            function_declaration: declaration,
            object_id: Some(&script.object),
            arguments: values.chain(handles).collect(),
            return_by_value: matches!(wanted, Wanted::Text(_)),
            await_promise: true,
            silent: true,
            ..CallFunctionOn::default()
        };
        let pending = script.session.send(command, deadline);
        // If the process crashed just before the command was registered, the crash did not fail it, and no response
        // will come.
        self.refuse_if_crashed(&script.frame).map_err(Refusal::Other)?;
        if let Wanted::Text(call) = wanted {
            self.ask_aftermath(call, script);
        }
        let answer = match wanted {
            Wanted::Text(Call { outlasts_dialogs: true, .. }) => pending.await,
            Wanted::Text(_) | Wanted::Object => self.answer(pending).await,
        };
        answer.map_err(Refusal::from)
    }
}
