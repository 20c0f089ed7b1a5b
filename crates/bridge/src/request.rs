//! A call as it arrives: accepted, routed and put in line, or answered at once.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::time::Instant;

use actions_dictionary::Dictionary;
use actions_engine::{CallError, Engine, ErrorCode, ErrorObject, Millis, SiteRequest};
use actions_protocol::{ActionError, CallId, Item, RuntimeId};
use serde_json::Value;

use crate::client::{Client, Weight};
use crate::memory::Known;
use crate::order::{Order, Work, Wrap};
use crate::routing::Wanted;
use crate::served::Served;
use crate::shared::Shared;

/// How long a client should wait before it calls again when too many calls wait.
const AGAIN: Millis = Millis(1_000);

/// A call as it arrived.
pub(crate) struct Request {
    pub(crate) call_id: CallId,
    pub(crate) action: String,
    pub(crate) wanted: Wanted,
    pub(crate) work: Result<Asked, CallError>,
    pub(crate) limit: Option<Millis>,
    pub(crate) bytes: usize,
    pub(crate) digest: u64,
    pub(crate) wrap: Wrap,
}

/// What a call asks for, before it is known which maps it is about.
pub(crate) enum Asked {
    /// A tool or a primitive.
    Named { name: String, arguments: Value },
    /// A request of `actions.site`.
    Site(SiteRequest),
    /// A tool of a map that came with the call.
    Mapped { tool: String, arguments: Value, map: Engine },
    /// A reading through a projection that came with the call.
    Projected { request: SiteRequest, map: Engine },
}

impl Asked {
    /// What a name and arguments ask for.
    pub(crate) fn named(name: String, arguments: Value) -> Result<Self, CallError> {
        match name.as_str() {
            "actions.site" => SiteRequest::from_arguments(arguments).map(Self::Site),
            _ => Ok(Self::Named { name, arguments }),
        }
    }

    /// A tool of the maps comes before a primitive of the same name.
    fn of(self, served: &Served) -> Result<Work, CallError> {
        Ok(match self {
            Self::Site(SiteRequest::List) => Work::List,
            Self::Site(SiteRequest::Call { action, arguments, .. }) => {
                Work::Tool { tool: action, arguments, map: None }
            }
            Self::Site(request) => Work::State { projection: projection_of(&request)?, request, map: None },
            Self::Mapped { tool, arguments, map } => Work::Tool { tool, arguments, map: Some(map) },
            Self::Projected { request, map } => {
                Work::State { projection: projection_of(&request)?, request, map: Some(map) }
            }
            Self::Named { name, arguments } => {
                let is_tool =
                    served.session.views().iter().any(|view| view.map().manifest().tool(&name).is_some());
                match !is_tool && Dictionary::builtin().get(&name).is_some() {
                    true => Work::Primitive { primitive: name, arguments },
                    false => Work::Tool { tool: name, arguments, map: None },
                }
            }
        })
    }
}

/// The projection that a request reads.
fn projection_of(request: &SiteRequest) -> Result<String, CallError> {
    match request {
        SiteRequest::StateRead { projection, .. }
        | SiteRequest::StateSummary { projection, .. }
        | SiteRequest::StateDiff { projection, .. } => Ok(projection.clone()),
        _ => Err(CallError::new(ErrorCode::InvalidInput, "this version does not know the mode")),
    }
}

impl Shared {
    /// Accepts a call, or answers it at once.
    pub(crate) fn submit(&self, client: &Arc<Client>, request: Request) {
        let Request { call_id, action, wanted, work, limit, bytes, digest, wrap } = request;
        // The peer drops an answer that does not name the runtime it asked for.
        let asked_for = match &wrap {
            Wrap::Peer { runtime_id } => Some(runtime_id.clone()),
            Wrap::Plain => None,
        };
        let named = |error: ErrorObject| {
            asked_for.iter().cloned().fold(ActionError::new(error), ActionError::in_runtime)
        };
        match client.begin(&call_id, digest) {
            Known::New => {}
            Known::Pending => return,
            Known::Answered(answer) => return client.answer_again(answer),
            Known::Forgotten => {
                let message = "the call was answered before, and its answer is not kept any more";
                let error = ErrorObject::new(ErrorCode::InvalidInput, message)
                    .with_next_step("look at the page, and call again under a new call id if that is needed");
                return tell(client, named(error).for_call(call_id));
            }
            Known::Other { pending } => {
                let message = format!("the call id `{call_id}` was used for another call");
                let error = ErrorObject::new(ErrorCode::InvalidInput, message)
                    .with_evidence("call_id", call_id.as_str())
                    .with_next_step("give every call an id of its own");
                let error = named(error);
                // The other call is still going to be answered under this id.
                let error = if pending { error } else { error.for_call(call_id) };
                return tell(client, error);
            }
        }
        let refuse = |runtime_id: Option<&RuntimeId>, error: &ErrorObject| {
            let answer = ActionError::new(error.clone()).for_call(call_id.clone());
            let answer = runtime_id.cloned().into_iter().fold(answer, ActionError::in_runtime);
            client.answer(&call_id, &answer.into());
        };
        let (served, candidates) = self.candidates();
        let served = match wanted.choose(&candidates) {
            Ok(at) => &served[at],
            Err(error) => return refuse(asked_for.as_ref(), &error.to_error_object()),
        };
        let runtime_id = served.runtime_id.clone();
        let work = match work {
            Ok(work) => work.of(served),
            Err(error) => Err(error),
        };
        let work = match work {
            Ok(work) => work,
            Err(error) => return refuse(Some(&runtime_id), &error.to_error_object()),
        };
        let busy = |message: &str| {
            ErrorObject::new(ErrorCode::RuntimeNotReady, message)
                .with_retry_after(AGAIN)
                .with_next_step("wait for answers, then call again under a new call id")
        };
        let Some(cancel) = client.admit(&call_id, &runtime_id, bytes) else {
            return refuse(
                Some(&runtime_id),
                &busy("too many calls of this client wait for this page or run"),
            );
        };
        let client = Arc::clone(client);
        let since = Instant::now();
        let order = Order { client, call_id, runtime_id, action, work, limit, since, cancel, wrap };
        if let Err(order) = served.take(order) {
            let error = match served.gone.is_cancelled() {
                true => served.closed().to_error_object(),
                false => busy("too many calls wait for this page"),
            };
            let answer = ActionError::new(error).for_call(order.call_id.clone());
            order.client.answer(&order.call_id, &answer.in_runtime(order.runtime_id.clone()).into());
        }
    }
}

/// Sends an error that is no first answer to a call.
pub(crate) fn tell(client: &Client, error: ActionError) {
    client.tell(Item::from(error).to_json().into(), Weight::Kept);
}

/// Tells one text from another.
pub(crate) fn digest(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}
