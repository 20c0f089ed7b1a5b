//! Calls of tools and primitives.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use actions_engine::{CallError, ErrorCode, Millis};
use actions_runtime::{Caller, MapVersion, ToolCall};
use rmcp::RoleServer;
use rmcp::model::{CallToolResponse, CallToolResult};
use rmcp::service::RequestContext;
use serde_json::{Map, Value, json};

use crate::answer::{Answer, failed, failed_with};
use crate::catalogue::{CONFIRM_ARGUMENT, PAGE_ARGUMENT};
use crate::client::Client;
use crate::confirmations::{Subject, Way};
use crate::elicit::{Asker, can_ask, input_required, is_stateless, responses_say_yes};
use crate::progress::{Progress, with_progress};
use crate::shared::Place;

/// What is called.
pub(crate) enum Callee {
    /// A tool of a map.
    Tool { map: Box<MapVersion>, reads: Arc<BTreeSet<String>>, tool: String, wraps: Option<bool> },
    /// A primitive.
    Primitive(String),
}

impl Callee {
    fn name(&self) -> &str {
        match self {
            Self::Tool { tool, .. } => tool,
            Self::Primitive(name) => name,
        }
    }
}

/// What a client sends with a call beside its arguments.
#[derive(Clone, Debug, Default)]
pub(crate) struct Control {
    /// The page to call on.
    pub(crate) page: Option<String>,
    /// The token that confirms the call.
    pub(crate) token: Option<String>,
    /// The answers of the person, in a request that is repeated.
    pub(crate) responses: Option<BTreeMap<String, Value>>,
    /// The state that a repeated request brings back: a token.
    pub(crate) state: Option<String>,
    /// The time limit.
    pub(crate) timeout: Option<Millis>,
}

impl Control {
    /// Takes the arguments that are ours out of those of a call.
    pub(crate) fn take(&mut self, arguments: &mut Map<String, Value>) -> Result<(), CallError> {
        for (key, place) in [(PAGE_ARGUMENT, &mut self.page), (CONFIRM_ARGUMENT, &mut self.token)] {
            match arguments.shift_remove(key) {
                None | Some(Value::Null) => {}
                Some(Value::String(text)) => *place = Some(text),
                Some(_) => {
                    let message = format!("`{key}` is not a text");
                    return Err(CallError::new(ErrorCode::InvalidInput, message));
                }
            }
        }
        Ok(())
    }
}

impl Client {
    /// Makes a call and answers it.
    pub(crate) async fn call(
        &self,
        context: &RequestContext<RoleServer>,
        callee: Callee,
        arguments: Map<String, Value>,
        control: Control,
    ) -> CallToolResponse {
        let arguments = Value::Object(arguments);
        let called = match Box::pin(self.called(context, &callee, &arguments, &control)).await {
            Err(error) if self.waits_for_person(context, &error) => {
                let again = Control { token: None, ..control };
                Box::pin(self.after_person(context, &callee, &arguments, again, error)).await
            }
            called => called,
        };
        called.unwrap_or_else(|error| failed(&error).into())
    }

    async fn called(
        &self,
        context: &RequestContext<RoleServer>,
        callee: &Callee,
        arguments: &Value,
        control: &Control,
    ) -> Result<CallToolResponse, CallError> {
        let shared = &self.shared;
        if let Callee::Tool { map, tool, .. } = callee {
            // Wrong arguments are an error before a browser starts or a person is asked.
            let input = map.engine.plan(tool)?.accept(arguments.clone())?;
            // A fixed answer is the word of the map, and needs no page.
            if let Some(outcome) = map.engine.answer_static(&input, &(), None) {
                return Ok(self.answered(callee, outcome.result?, false).into());
            }
        }
        let Place { session, route } =
            shared.place(&self.session_name(context), control.page.as_deref()).await?;
        let subject = Subject { tool: callee.name(), arguments, session: session.name() };
        let way = self.way(context, control, subject)?;
        let call_id = shared.call_id()?;
        let reads = match callee {
            Callee::Tool { reads, .. } => Arc::clone(reads),
            Callee::Primitive(_) => Arc::default(),
        };
        let known = shared.confirmations.register(&call_id, way, reads);
        let call = match callee {
            Callee::Tool { map, tool, .. } => ToolCall::of(tool.as_str()).under(map.engine.clone()),
            Callee::Primitive(name) => ToolCall::of_primitive(name.as_str()),
        };
        let call = call
            .arguments(arguments.clone())
            .by(caller_of(context))
            .on(route)
            .id(call_id)
            .cancelled_by(context.ct.clone());
        let call = control.timeout.into_iter().fold(call, ToolCall::timeout);
        let (progress, sending) = Progress::of(context);
        let outcome = with_progress(progress, sending, async |progress: &Progress| {
            Box::pin(session.call(call.observer(progress))).await
        });
        let outcome = outcome.await;
        let question = known.asking.open_question();
        drop(known);
        match (outcome.result, question) {
            (Ok(value), _) => Ok(self.answered(callee, value, true).into()),
            (Err(error), Some(question)) if error.code == ErrorCode::PermissionDenied && !error.mutated => {
                self.ask_later(context, question, subject)
            }
            (Err(error), _) => Err(error),
        }
    }

    /// The result of a call with a value.
    fn answered(&self, callee: &Callee, value: Value, untrusted: bool) -> CallToolResult {
        let wraps = matches!(callee, Callee::Tool { wraps: Some(true), .. });
        let answer = Answer { of: callee.name(), value, wraps, untrusted };
        answer.into_result(&self.shared.options, &self.shared.large)
    }

    /// Whether a call failed because a person has to do something in the browser, and they can: they see its window, and
    /// their client can ask them.
    fn waits_for_person(&self, context: &RequestContext<RoleServer>, error: &CallError) -> bool {
        self.shared.options.is_visible
            && !error.mutated
            && error.code == ErrorCode::AuthLost
            && can_ask(context)
    }

    /// Asks the person to do what the site wants of one, and makes the call again. Nothing had been changed.
    async fn after_person(
        &self,
        context: &RequestContext<RoleServer>,
        callee: &Callee,
        arguments: &Value,
        control: Control,
        error: CallError,
    ) -> Result<CallToolResponse, CallError> {
        let message = &error.message;
        let question =
            format!("{message}. Sign in, in the window of the browser, and then confirm to go on.");
        if !is_stateless(context) {
            return match Asker::of(context).confirms(question).await {
                true => self.called(context, callee, arguments, &control).await,
                false => Err(error),
            };
        }
        let session = self.shared.place(&self.session_name(context), control.page.as_deref()).await?.session;
        let subject = Subject { tool: callee.name(), arguments, session: session.name() };
        let token = self.shared.confirmations.token(subject)?;
        input_required(question, token).map_or(Err(error), |asked| Ok(asked.into()))
    }

    /// How the person of a call is asked.
    fn way(
        &self,
        context: &RequestContext<RoleServer>,
        control: &Control,
        subject: Subject<'_>,
    ) -> Result<Way, CallError> {
        let confirmations = &self.shared.confirmations;
        if let Some(state) = &control.state {
            if !confirmations.redeem(state, subject) {
                return Err(stale("the `requestState` is not of this call, was used before, or is too old"));
            }
            if !responses_say_yes(control.responses.as_ref()) {
                let message = format!("`{}` was not confirmed", subject.tool);
                return Err(CallError::new(ErrorCode::PermissionDenied, message));
            }
            return Ok(Way::Confirmed);
        }
        if let Some(token) = &control.token {
            return match confirmations.redeem(token, subject) {
                true => Ok(Way::Confirmed),
                false => Err(stale("the token is not for this call, was used before, or is too old")),
            };
        }
        Ok(match can_ask(context) && !is_stateless(context) {
            true => Way::Ask(Asker::of(context)),
            false => Way::Later,
        })
    }

    /// The answer to a call that a person has to confirm first.
    fn ask_later(
        &self,
        context: &RequestContext<RoleServer>,
        question: String,
        subject: Subject<'_>,
    ) -> Result<CallToolResponse, CallError> {
        let token = self.shared.confirmations.token(subject)?;
        if is_stateless(context)
            && can_ask(context)
            && let Some(asked) = input_required(question.clone(), token.clone())
        {
            return Ok(asked.into());
        }
        let message = format!("`{}` may change the site, so a person must confirm it", subject.tool);
        let hint = format!(
            "ask the person; if they agree, repeat the call with `{CONFIRM_ARGUMENT}` set to the token"
        );
        let error = CallError::new(ErrorCode::ConfirmationRequired, message).with_evidence("hint", hint);
        let mut more = Map::new();
        more.insert("question".to_owned(), json!(question));
        more.insert("confirm_token".to_owned(), json!(token));
        more.insert("expires_in_s".to_owned(), json!(300));
        Ok(failed_with(&error, more).into())
    }
}

/// The client of a call, as it introduced itself.
fn caller_of(context: &RequestContext<RoleServer>) -> Caller {
    let Some(info) = context.peer.peer_info() else { return Caller::default() };
    let client = &info.client_info;
    let user_agent = format!("{}/{}", client.name, client.version);
    Caller { name: Some(client.name.clone()), user_agent: Some(user_agent) }
}

fn stale(message: &str) -> CallError {
    CallError::new(ErrorCode::ConfirmationRequired, message)
        .with_evidence("hint", "call without a token to get a new one; nothing was changed")
}
