//! Calls functions of the page script: one round trip each.

use serde_json::Value;

use super::ChromiumPage;
use super::refusal::Refusal;
use super::runtime::{Argument, CallFunctionOn, Outcome};
use super::wire::GetFrameTree;
use super::world::Script;
use crate::{Call, Deadline, Error, FrameId, Handle, script};

/// How often a call looks for a new document before it gives up; every try but the last ended without the call
/// having begun, or was allowed to be repeated.
const TRIES: u32 = 16;

impl ChromiumPage {
    pub(super) async fn call_script(&self, call: Call<'_>, deadline: Deadline) -> Result<String, Error> {
        let arguments = [Value::from(call.function), Value::from(call.args.as_str())];
        self.taken_so_far(deadline).await;
        let told = {
            let told = &mut self.state().told;
            let by_now = told.by_now();
            // What it does itself may go on behind its answer.
            if !call.reads {
                told.stir_at_once();
            }
            by_now
        };
        let mut tries = 0;
        loop {
            tries += 1;
            let script = self.script(call.frame, deadline).await?;
            let may_repeat = tries < TRIES && call.nodes.is_empty();
            let wanted = Wanted::Text(&call);
            match self.call_once(&script, script::CALL, &arguments, call.nodes, wanted, deadline).await {
                Ok(outcome) => match outcome.value(call.function)? {
                    Value::String(text) => {
                        self.state().told.hear(told);
                        return Ok(text);
                    }
                    // The script is not in this world after all.
                    _ if may_repeat => self.forget_world(call.frame, &script),
                    _ => {
                        return Err(Error::AnswerUnreadable {
                            method: call.function.to_owned(),
                            detail: "the page script gave no text".to_owned(),
                        });
                    }
                },
                Err(Refusal::NotBegun) if may_repeat => self.forget_world(call.frame, &script),
                Err(Refusal::NotBegun) => return Err(Error::HandleStale),
                Err(Refusal::CutOff) if may_repeat && call.repeatable => {
                    self.forget_world(call.frame, &script);
                }
                Err(Refusal::CutOff) => return Err(self.why_cut_off(&call, deadline).await),
                Err(Refusal::Other(error)) => return Err(error),
            }
        }
    }

    /// A call that was cut off was in a frame that left, or in a document that made room for another one.
    async fn why_cut_off(&self, call: &Call<'_>, deadline: Deadline) -> Error {
        let parent = self.parent_of(call.frame).ok().and_then(|parent| self.frame_session(&parent));
        if let Some(parent) = parent {
            // Once the parent's process has answered, everything it had to tell about its frames has been heard.
            drop(self.answer(parent.send_uncounted(GetFrameTree {}, deadline)).await);
        }
        match self.home_of(call.frame, deadline).await {
            Ok(_) => Error::DocumentReplaced { during: format!("{} ran", call.function) },
            Err(error) => error,
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

    async fn call_once(
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
        // A crash in the meantime ended the calls that were known by then; this one would be waited for in vain.
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

/// What a call gives.
#[derive(Clone, Copy)]
enum Wanted<'c> {
    /// The answer of a function of the page script.
    Text(&'c Call<'c>),
    /// An object to hold on to.
    Object,
}
