//! Performs a call on its page.

use actions_engine::{CallError, PageId, SiteRequest, StepSummary};
use actions_runtime::{Called, Caller, Lease, Route, RuntimeSession, ToolCall, join_listings};
use serde_json::{Map, Value, json};

use crate::order::{Order, Work};
use crate::progress::Progress;

/// Performs a call and answers it.
pub(crate) async fn perform(session: &RuntimeSession, page: PageId, order: &mut Order) {
    let work = std::mem::replace(&mut order.work, Work::List);
    let order = &*order;
    let (result, steps) = match &work {
        Work::Tool { tool, arguments, map } => {
            let call = ToolCall::of(tool.as_str()).arguments(arguments.clone());
            made(session, page, order, map.iter().cloned().fold(call, ToolCall::under)).await
        }
        Work::Primitive { primitive, arguments } => {
            let call = ToolCall::of_primitive(primitive.as_str()).arguments(arguments.clone());
            made(session, page, order, call).await
        }
        Work::List => (listed(session, page).await, Vec::new()),
        Work::State { request, projection, map } => {
            let called = Called { name: projection, mutating: false, facts: None };
            if let Err(error) = session.admit(&caller_of(order), &called) {
                return order.answer(Err(error), Map::new());
            }
            let route = Route::Page(page);
            let lease = match map {
                Some(map) => session.lease_under(map, &route).await,
                None => session.lease_for_projection(projection, &route).await,
            };
            match lease {
                Ok(lease) => (read(&lease, request.clone(), order).await, Vec::new()),
                Err(error) => (Err(error), Vec::new()),
            }
        }
    };
    let result = result.map(|value| order.shaped(&work, value));
    let mut extra = Map::new();
    if !steps.is_empty() {
        extra.insert("steps".to_owned(), json!(steps));
    }
    order.answer(result, extra);
}

/// The client of a call. A bridge knows it by the name it connected with.
fn caller_of(order: &Order) -> Caller {
    let name = order.client.name.clone();
    Caller { user_agent: name.clone(), name }
}

async fn made(
    session: &RuntimeSession,
    page: PageId,
    order: &Order,
    call: ToolCall<'_>,
) -> (Result<Value, CallError>, Vec<StepSummary>) {
    let progress = Progress::of(order);
    let call = call.by(caller_of(order)).on(Route::Page(page)).id(order.call_id.clone()).observer(&progress);
    let call = order.time_left().into_iter().fold(call, ToolCall::timeout);
    let outcome = session.call(call.cancelled_by(order.cancel.clone())).await;
    (outcome.result, outcome.steps)
}

/// What the maps offer on the page, in order of precedence.
async fn listed(session: &RuntimeSession, page: PageId) -> Result<Value, CallError> {
    // Held so that the session does not end meanwhile.
    let _lease = session.lease(&Route::Page(page)).await?;
    let mut listings = Vec::new();
    for view in session.views() {
        let listed = view.on(page).site(SiteRequest::List).run().await;
        listings.push(listed.result?.to_json());
    }
    Ok(listings.into_iter().reduce(join_listings).unwrap_or_default())
}

async fn read(lease: &Lease, request: SiteRequest, order: &Order) -> Result<Value, CallError> {
    let request = with_time(request, order);
    lease.map().check_request(&request)?;
    let call = lease.site(request).id(order.call_id.clone()).cancelled_by(order.cancel.clone());
    call.run().await.result.map(|answer| answer.to_json())
}

/// A request that has as much time as its call has left.
fn with_time(mut request: SiteRequest, order: &Order) -> SiteRequest {
    let left = order.time_left();
    if let SiteRequest::StateRead { timeout, .. }
    | SiteRequest::StateSummary { timeout, .. }
    | SiteRequest::StateDiff { timeout, .. } = &mut request
    {
        *timeout = left.or(*timeout);
    }
    request
}
