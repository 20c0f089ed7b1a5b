//! Questions to the person at the client, in both eras of the protocol.

use std::collections::BTreeMap;
use std::time::Duration;

use rmcp::model::{
    ClientResult, ElicitRequest, ElicitRequestParams, ElicitationAction, ElicitationSchema, InputRequest,
    InputRequiredResult, ProtocolVersion, ServerRequest,
};
use rmcp::service::{PeerRequestOptions, RequestContext};
use rmcp::{Peer, RoleServer};
use serde_json::{Value, json};

use crate::schema::object;

/// How long a person may take to answer.
const PATIENCE: Duration = Duration::from_secs(5 * 60);

/// The name of the question in an answer that asks for input, and of its field.
const CONFIRM: &str = "confirm";

/// Whether a request belongs to the era without a handshake.
pub(crate) fn is_stateless(context: &RequestContext<RoleServer>) -> bool {
    context.protocol_version().is_some_and(|version| version >= ProtocolVersion::V_2026_07_28)
}

/// Whether the client can ask its person by a form. A client that only says that it elicits means forms.
pub(crate) fn can_ask(context: &RequestContext<RoleServer>) -> bool {
    let elicitation = context.client_capabilities().and_then(|capabilities| capabilities.elicitation);
    elicitation.is_some_and(|elicitation| elicitation.form.is_some() || elicitation.url.is_none())
}

/// Asks the person at a client of the era with a handshake.
#[derive(Clone, Debug)]
pub(crate) struct Asker {
    peer: Peer<RoleServer>,
}

impl Asker {
    pub(crate) fn of(context: &RequestContext<RoleServer>) -> Self {
        Self { peer: context.peer.clone() }
    }

    /// Whether the person says yes. No answer is no.
    pub(crate) async fn confirms(&self, question: String) -> bool {
        let Some(params) = form(question) else { return false };
        let request = ServerRequest::ElicitRequest(ElicitRequest::new(params));
        let options = PeerRequestOptions::with_timeout(PATIENCE);
        let Ok(sent) = self.peer.send_request_with_option(request, options).await else { return false };
        match sent.await_response().await {
            Ok(ClientResult::ElicitResult(result)) => {
                result.action == ElicitationAction::Accept && says_yes(result.content.as_ref())
            }
            _ => false,
        }
    }
}

/// The form of a question that is answered with yes or no.
fn form(message: String) -> Option<ElicitRequestParams> {
    let schema = json!({
        "type": "object",
        "properties": { CONFIRM: { "type": "boolean", "title": "Confirm", "default": false } },
        "required": [CONFIRM],
    });
    let requested_schema = ElicitationSchema::from_json_schema(object(schema)).ok()?;
    Some(ElicitRequestParams::FormElicitationParams { meta: None, message, requested_schema })
}

fn says_yes(content: Option<&Value>) -> bool {
    content.is_some_and(|content| content[CONFIRM] == true)
}

/// The answer that asks a client of the era without a handshake to ask its person, and to repeat the request.
pub(crate) fn input_required(question: String, token: String) -> Option<InputRequiredResult> {
    let request = InputRequest::Elicitation(ElicitRequest::new(form(question)?));
    let requests = BTreeMap::from([(CONFIRM.to_owned(), request)]);
    Some(InputRequiredResult::new(Some(requests), Some(token)))
}

/// Whether the responses of a repeated request say yes.
pub(crate) fn responses_say_yes(responses: Option<&BTreeMap<String, Value>>) -> bool {
    responses
        .and_then(|responses| responses.get(CONFIRM))
        .is_some_and(|answer| answer["action"] == "accept" && says_yes(answer.get("content")))
}
