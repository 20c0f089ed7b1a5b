//! Runs functions of the page script, and of the page itself.

use async_trait::async_trait;
use serde_json::Value;

use super::ChromiumPage;
use super::call::Wanted;
use super::refusal::{Refusal, is_not_serialisable, replaced};
use super::runtime::{Argument, CallFunctionOn, Evaluate};
use super::wire::GetFrameTree;
use crate::{Call, Deadline, Error, HeardEvent, Offer, Scripting, script};

/// Calls a function at a dotted path of the page's global object.
const CALL_PAGE_FUNCTION: &str = include_str!("js/call_page_function.js");
/// The page's global object, by the one name it has in every world.
const GLOBAL: &str = "globalThis";
/// How often a call is tried. Every try but the last either did not begin or may be repeated.
pub(super) const TRIES: u32 = 16;

#[async_trait]
impl Scripting for ChromiumPage {
    /// One round trip, unless the document is replaced under the call.
    async fn call_text(&self, call: Call<'_>, deadline: Deadline) -> Result<String, Error> {
        let arguments = [Value::from(call.function), Value::from(call.args.as_str())];
        self.drain_abandoned_input(deadline).await;
        let reported = {
            let progress = &mut self.state().progress;
            let acknowledged = progress.acknowledged();
            // A function that changes the page may have effects after its answer.
            if !call.reads {
                progress.start_in_order();
            }
            acknowledged
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
                        self.update(|state| state.progress.report(reported));
                        return Ok(text);
                    }
                    // The script is not in this world after all.
                    _ if may_repeat => self.forget_world(call.frame, &script),
                    _ => {
                        return Err(Error::AnswerUnreadable {
                            method: call.function.to_owned(),
                            detail: "the page script returned no text".to_owned(),
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

    async fn call_page_function(
        &self,
        path: &str,
        args: &[Value],
        deadline: Deadline,
    ) -> Result<Value, Error> {
        self.refuse_if_blocked()?;
        self.state().progress.start_in_order();
        let get_global = Evaluate { expression: GLOBAL, silent: true, ..Evaluate::default() };
        let global = self
            .answer(self.session.send(get_global, deadline))
            .await
            .map_err(replaced(&format!("{path} ran")))?;
        let global = global.object(path)?;
        let path_value = Value::from(path);
        let command = CallFunctionOn {
            function_declaration: CALL_PAGE_FUNCTION,
            object_id: global.as_deref(),
            arguments: std::iter::once(&path_value).chain(args).map(Argument::Value).collect(),
            return_by_value: true,
            await_promise: true,
            user_gesture: true,
            silent: true,
            ..CallFunctionOn::default()
        };
        let answer = self
            .answer(self.session.send(command, deadline))
            .await
            .map_err(replaced(&format!("{path} ran")))
            .map_err(not_json(path))?;
        match answer.value(path)? {
            Value::Object(answer) if answer.contains_key("missing") => {
                Err(Error::PageFunctionMissing { path: path.to_owned() })
            }
            Value::Object(mut answer) => Ok(answer.remove("value").unwrap_or(Value::Null)),
            other => Ok(other),
        }
    }

    async fn hear(&self, heard: &[HeardEvent], deadline: Deadline) -> Result<(), Error> {
        self.refuse_if_blocked()?;
        self.hear_events(heard, deadline).await
    }

    async fn offer(&self, offer: Offer, deadline: Deadline) -> Result<(), Error> {
        self.refuse_if_blocked()?;
        self.give(offer, deadline).await
    }

    async fn evaluate(&self, source: &str, deadline: Deadline) -> Result<Value, Error> {
        self.refuse_if_blocked()?;
        self.state().progress.start_in_order();
        let command = Evaluate {
            expression: source,
            return_by_value: true,
            await_promise: true,
            user_gesture: true,
            ..Evaluate::default()
        };
        let answer = self
            .answer(self.session.send(command, deadline))
            .await
            .map_err(replaced("the script ran"))
            .map_err(not_json("the script"))?;
        answer.value("the script")
    }
}

impl ChromiumPage {
    /// The error of a call that was cut off: its frame was detached, or its document was replaced.
    async fn why_cut_off(&self, call: &Call<'_>, deadline: Deadline) -> Error {
        let parent = self.parent_of(call.frame).ok().and_then(|parent| self.frame_session(&parent));
        if let Some(parent) = parent {
            // Once the parent's process has answered, all its earlier events about its frames have arrived.
            drop(self.answer(parent.send_uncounted(GetFrameTree {}, deadline)).await);
        }
        match self.home_of(call.frame, deadline).await {
            Ok(_) => Error::DocumentReplaced { during: format!("{} ran", call.function) },
            Err(error) => error,
        }
    }
}

/// Maps "this value cannot be serialised" to an error of the function that returned the value.
fn not_json(function: &str) -> impl Fn(Error) -> Error {
    move |error| {
        let why = match &error {
            Error::Refused { message, .. } if is_not_serialisable(&error) => message,
            Error::AnswerUnreadable { detail, .. } => detail,
            _ => return error,
        };
        let message = format!("the value it returned is not JSON, or is nested too deeply: {why}");
        Error::ScriptFailed { function: function.to_owned(), message }
    }
}
