//! `actions_site`: what applies to a page, a tool by its name, and the state of the page as data.

use std::sync::Arc;

use actions_engine::{ByteLimit, CallError, ErrorCode, HereListing, SiteAnswer, SiteRequest};
use actions_runtime::{Route, RuntimeSession};
use rmcp::RoleServer;
use rmcp::model::CallToolResponse;
use rmcp::service::RequestContext;
use serde_json::{Map, Value, json};

use crate::answer::{Answer, failed};
use crate::call::{Callee, Control};
use crate::catalogue::{Catalogue, KnownTool, SITE};
use crate::client::Client;
use crate::shared::Place;

/// How long a look at a page may take.
const LOOK: actions_engine::Millis = actions_engine::Millis(5_000);

impl Client {
    /// Answers a call of `actions_site`.
    pub(crate) async fn site(
        &self,
        context: &RequestContext<RoleServer>,
        arguments: Map<String, Value>,
        mut control: Control,
    ) -> CallToolResponse {
        let request = match SiteRequest::from_arguments(Value::Object(arguments)) {
            Ok(request) => request,
            Err(error) => return failed(&error).into(),
        };
        if let SiteRequest::Call { action, arguments, timeout } = request {
            control.timeout = timeout;
            let catalogue = self.shared.catalogue();
            let Some(tool) = catalogue.tool(&action) else {
                return failed(&catalogue.unknown(&action)).into();
            };
            let callee = callee(&catalogue, tool);
            let arguments = arguments.as_object().cloned().unwrap_or_default();
            return self.call(context, callee, arguments, control).await;
        }
        match Box::pin(self.read(context, request, control.page.as_deref())).await {
            Ok(value) => {
                let answer = Answer { of: SITE, value, wraps: false, untrusted: true };
                answer.into_result(&self.shared.options, &self.shared.large).into()
            }
            Err(error) => failed(&error).into(),
        }
    }

    async fn read(
        &self,
        context: &RequestContext<RoleServer>,
        request: SiteRequest,
        page: Option<&str>,
    ) -> Result<Value, CallError> {
        let request = within(request, self.shared.options.result_bytes);
        let place = self.shared.place(&self.session_name(context), page).await?;
        let Some(projection) = projection(&request).map(str::to_owned) else {
            return listed(&self.shared.catalogue(), &place).await;
        };
        let lease = place.session.lease_for_projection(&projection, &place.route).await?;
        lease.map().check_request(&request)?;
        let answered = Box::pin(lease.site(request).cancelled_by(context.ct.clone()).run()).await.result?;
        self.shared.versions.keep(&lease, &projection);
        Ok(brief(answered))
    }
}

/// What a tool of a catalogue is called by.
pub(crate) fn callee(catalogue: &Catalogue, tool: &KnownTool) -> Callee {
    let map = catalogue.map_of(tool);
    Callee::Tool {
        map: Box::new(map.version.clone()),
        reads: Arc::clone(&map.reads),
        tool: tool.tool.clone(),
        wraps: tool.wraps,
    }
}

/// The projection that a request reads.
fn projection(request: &SiteRequest) -> Option<&str> {
    match request {
        SiteRequest::StateRead { projection, .. }
        | SiteRequest::StateSummary { projection, .. }
        | SiteRequest::StateDiff { projection, .. } => Some(projection),
        _ => None,
    }
}

/// A request that reads no more than fits a result, so that a larger state is refused with its summaries named.
fn within(mut request: SiteRequest, bytes: usize) -> SiteRequest {
    if let SiteRequest::StateRead { max_bytes, .. }
    | SiteRequest::StateSummary { max_bytes, .. }
    | SiteRequest::StateDiff { max_bytes, .. } = &mut request
    {
        // The answer has more around the state.
        let most = bytes.saturating_sub(1_024).max(256);
        *max_bytes = Some(ByteLimit(max_bytes.map_or(most, |wish| wish.0.min(most))));
    }
    request
}

/// An answer without what only authors of maps need.
pub(crate) fn brief(answer: SiteAnswer) -> Value {
    let mut value = answer.to_json();
    if let Some(members) = value.as_object_mut() {
        members.shift_remove("ok");
        members.shift_remove("diagnostics");
        members.shift_remove("patch_format");
        members.shift_remove("summary_bytes");
    }
    value
}

/// What applies to a page now: by all maps, in order of precedence.
async fn listed(catalogue: &Catalogue, place: &Place) -> Result<Value, CallError> {
    let mut whole =
        json!({ "url": "", "states": [], "tools": [], "elsewhere": [], "projections": [], "context": [] });
    let mut is_known = false;
    for (view, here) in looks(&place.session, &place.route).await? {
        is_known = true;
        whole["url"] = json!(here.url);
        let mut add = |key: &str, item: Value| {
            if let Some(items) = whole[key].as_array_mut() {
                items.push(item);
            }
        };
        here.current_states.iter().for_each(|state| add("states", json!(state)));
        for tool in &here.tools {
            // A tool that cannot run here at all has no name for clients.
            let Some(name) = catalogue.name_of(view.map(), &tool.name) else { continue };
            match &tool.why_not {
                None => {
                    let mut listed = json!({ "name": name, "description": tool.description, "arguments": tool.input_schema });
                    if !tool.do_not_use.is_empty() {
                        listed["do_not_use"] = json!(tool.do_not_use);
                    }
                    add("tools", listed);
                }
                Some(why_not) => add("elsewhere", json!({ "name": name, "why_not": why_not })),
            }
        }
        for projection in &here.state_projections {
            let summaries = projection.summaries.iter().map(|summary| match &summary.input_schema {
                None => json!(summary.name),
                Some(schema) => json!({ "name": summary.name, "arguments": schema }),
            });
            let summaries: Vec<Value> = summaries.collect();
            add(
                "projections",
                json!({
                    "name": projection.name, "description": projection.description, "summaries": summaries,
                }),
            );
        }
        here.context.iter().for_each(|block| {
            add("context", json!({ "id": block.id, "title": block.title, "body": block.body }));
        });
    }
    if !is_known {
        return Err(CallError::new(ErrorCode::RuntimeNotReady, "the session has no map"));
    }
    if let Some(members) = whole.as_object_mut() {
        members.retain(|_, value| *value != json!([]));
    }
    Ok(whole)
}

/// What each map of a session offers on a page.
pub(crate) async fn looks(
    session: &RuntimeSession,
    route: &Route,
) -> Result<Vec<(actions_engine::Session, HereListing)>, CallError> {
    // Held so that the session does not end meanwhile.
    let lease = session.lease(route).await?;
    let page = lease.page_id();
    let mut looks = Vec::new();
    for view in session.views() {
        let view = view.on(page);
        let here = view.listing(None, Some(LOOK)).await?;
        looks.push((view, here));
    }
    Ok(looks)
}
