//! Does in a background session what a command asks for.

use std::path::Path;
use std::time::Instant;

use actions_engine::browser::StorageState;
use actions_engine::{
    CallError, CancellationToken, Engine, RunEvent, SiteAnswer, SiteRequest, typed_argument,
};
use actions_protocol::{ByteLimit, ErrorCode, Millis};
use actions_runtime::{Lease, Route, RuntimeSession, ToolCall, join_listings};
use serde_json::{Map, Value, json};
use tokio::sync::mpsc::Sender;

use super::message::{
    Listed, PrimitiveReply, PrimitiveRequest, RecordRequest, Reply, Request, RunReply, RunRequest, Shown,
    ShownState, StateKind, StateReply, StateRequest,
};
use super::recorded::Recorded;
use crate::calling::{Extras, Performed, changed};
use crate::held::Held;
use crate::identity_options::{keep, reserve};
use crate::time_limit::TimeLimit;
use crate::{changes, listing};

/// Answers a request. Sends events and notes on the way.
pub(super) async fn answer(
    held: &Held,
    request: Request,
    say: &Sender<Reply>,
    cancel: &CancellationToken,
) -> Reply {
    let session = &held.session;
    if !matches!(request, Request::Info | Request::Stop) {
        held.refresh_maps().into_iter().for_each(|line| tell(say, Reply::Note(line)));
    }
    let answered = match request {
        Request::Info => return Reply::Info(session.info().await),
        Request::Stop => return Reply::Stopped,
        Request::Run(request) => {
            run(held, *request, say, cancel).await.map(|reply| Reply::Run(Box::new(reply)))
        }
        Request::State(request) => {
            state(session, request, cancel).await.map(|reply| Reply::State(Box::new(reply)))
        }
        Request::List(Listed { page }) => list(session, page).await.map(Reply::List),
        Request::Primitive(request) => {
            let reply = primitive(session, request, say, cancel).await;
            reply.map(|reply| Reply::Primitive(Box::new(reply)))
        }
        Request::Identity => identity(session).await.map(|state| Reply::Identity(Box::new(state))),
        Request::Record(request) => record(held, request, say, cancel).await.map(|()| Reply::Recorded),
    };
    answered.unwrap_or_else(|error| Reply::Failed(Box::new(error)))
}

fn route(page: Option<String>) -> Route {
    page.map_or(Route::Current, Route::matching)
}

/// Sends an event or a note if there is room; they are for the eye.
pub(super) fn tell(say: &Sender<Reply>, reply: Reply) {
    drop(say.try_send(reply));
}

async fn run(
    held: &Held,
    request: RunRequest,
    say: &Sender<Reply>,
    cancel: &CancellationToken,
) -> Result<RunReply, CallError> {
    let session = &held.session;
    let RunRequest {
        tool,
        map,
        input,
        page,
        timeout,
        traverse,
        record,
        diff,
        trace,
        screenshot,
        save_storage_state,
        quiet,
        consent,
    } = request;
    let lease = session.lease_for_tool(&tool, &route(page)).await?;
    is_of_map(&lease, map.as_deref(), session)?;
    let plan = lease.map().plan(&tool)?;
    let arguments = input.typed(|name, text| plan.argument(name, text));
    plan.accept(arguments.clone())?;
    let extras = Extras { diff, trace, screenshot, quiet, time: TimeLimit::of(None) };
    extras.check(lease.map())?;
    if let Some(transition) = &traverse {
        lease.map().check_traversal(transition, &tool)?;
    }
    let kept = save_storage_state.as_deref().map(reserve).transpose()?;
    let events = |event: &RunEvent| tell(say, Reply::Event(Box::new(event.clone())));
    let notes = |line: String| tell(say, Reply::Note(line));
    consent.tell(&lease);
    let call = ToolCall::of(tool).arguments(arguments).on(Route::Page(lease.page_id()));
    let call = call.consenting(consent.without_terminal()).observer(&events).cancelled_by(cancel.clone());
    let call = timeout.into_iter().fold(call, ToolCall::timeout);
    let traverse_was_asked = traverse.is_some();
    let call = traverse.into_iter().fold(call, ToolCall::traversing);
    let recording = match &record {
        Some(record) => Some(Recorded::begin(held, &lease, record, say, cancel).await?),
        None => None,
    };
    let performed = extras.around(&lease, cancel, &notes, async |trace| {
        session.call(trace.into_iter().fold(call, ToolCall::trace)).await
    });
    let performed = performed.await;
    if let Some(recording) = recording {
        let secrets = performed.as_ref().ok().and_then(|performed| performed.outcome.secrets.texts());
        recording.end(secrets, say).await?;
    }
    let Performed { outcome, diff } = performed?;
    if let Ok(value) = &outcome.result
        && value["converged"] == false
        && traverse_was_asked
    {
        let attempts = &value["attempts"];
        notes(format!("warning: `complete_when` does not hold after {attempts} attempts"));
    }
    if let Some(file) = kept.filter(|_| outcome.result.is_ok()) {
        keep(file, &lease.storage_state(None).await?)?;
    }
    let changes = diff.as_ref().map(|diff| changed(diff, &outcome.secrets)).unwrap_or_default();
    let diff = diff.and_then(Result::ok).map(|diff| json!(diff));
    Ok(RunReply { call_id: outcome.call_id, result: outcome.result, steps: outcome.steps, diff, changes })
}

/// Fails if the tool or projection is not of the map that the command names.
fn is_of_map(lease: &Lease, map: Option<&Path>, session: &RuntimeSession) -> Result<(), CallError> {
    let Some(map) = map else { return Ok(()) };
    let real = |path: &Path| std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let own = lease.map().manifest().root_part().document().source().name().to_owned();
    if real(Path::new(&own)) == real(map) {
        return Ok(());
    }
    let wanted = map.display();
    let message = match session.maps().iter().any(|known| real(Path::new(known)) == real(map)) {
        true => format!("another map of the session comes first: {own}"),
        false => format!("the session `{}` does not use the map {wanted}", session.name()),
    };
    Err(CallError::new(ErrorCode::WrongUsage, message)
        .with_evidence("hint", format!("leave the map out, or name one of: {}", session.maps().join(", "))))
}

async fn state(
    session: &RuntimeSession,
    request: StateRequest,
    cancel: &CancellationToken,
) -> Result<StateReply, CallError> {
    let StateRequest { projection, map, what, page, max_bytes, timeout } = request;
    let lease = session.lease_for_projection(&projection, &route(page)).await?;
    is_of_map(&lease, map.as_deref(), session)?;
    let max_bytes = max_bytes.map(ByteLimit);
    let request = match what {
        StateKind::Read => SiteRequest::StateRead { projection: projection.clone(), max_bytes, timeout },
        StateKind::Summary { summary, input } => {
            let schema = summary_schema(lease.map(), &projection, &summary);
            let arguments = input.typed(|name, text| typed_argument(&schema, name, text));
            SiteRequest::StateSummary {
                projection: projection.clone(),
                summary,
                arguments,
                max_bytes,
                timeout,
            }
        }
        StateKind::Diff { baseline } => {
            baseline.into_iter().for_each(|baseline| lease.keep_snapshot(*baseline));
            SiteRequest::StateDiff { projection: projection.clone(), max_bytes, timeout }
        }
    };
    lease.map().check_request(&request)?;
    let outcome = lease.site(request).cancelled_by(cancel.clone()).run().await;
    let snapshot = lease.snapshot(&projection);
    Ok(StateReply { call_id: outcome.call_id, result: outcome.result.map(|answer| shown(&answer)), snapshot })
}

/// The input schema of a summary; empty if there is no such summary or it takes no arguments.
pub(crate) fn summary_schema(engine: &Engine, projection: &str, summary: &str) -> Map<String, Value> {
    let projection = engine.manifest().projection(projection);
    let mut summaries = projection.iter().flat_map(|projection| &projection.item.summaries);
    let found = summaries.find(|one| one.name.as_str() == summary);
    let schema = found.and_then(|found| found.input_schema.as_ref());
    schema.map(|schema| schema.schema.clone()).unwrap_or_default()
}

/// A reading as it is shown.
pub(crate) fn shown(answer: &SiteAnswer) -> ShownState {
    let (human, missing, bytes) = match answer {
        SiteAnswer::State(reading) => {
            let diagnostics = &reading.diagnostics;
            (
                Shown::Json(reading.state.clone()),
                diagnostics.missing_required_fields.clone(),
                Some(diagnostics.bytes),
            )
        }
        SiteAnswer::Summary(reading) => {
            let missing = reading.diagnostics.missing_required_fields.clone();
            (Shown::Json(reading.summary.clone()), missing, Some(reading.summary_bytes))
        }
        SiteAnswer::Diff(diff) => (Shown::Lines(changes::lines(diff)), Vec::new(), None),
        other => (Shown::Json(other.to_json()), Vec::new(), None),
    };
    ShownState { json: answer.to_json(), human, missing, bytes }
}

async fn list(session: &RuntimeSession, page: Option<String>) -> Result<Value, CallError> {
    let lease = session.lease(&route(page)).await?;
    let url = lease.page().url();
    let mut listed = Vec::new();
    for view in session.views() {
        let here = view.on(lease.page_id()).listing(None, None).await?;
        listed.push(listing::here(listing::of(view.map(), Some(&url)), &here));
    }
    Ok(listed.into_iter().reduce(join_listings).unwrap_or_default())
}

async fn identity(session: &RuntimeSession) -> Result<StorageState, CallError> {
    session.lease(&Route::Current).await?.storage_state(None).await
}

async fn primitive(
    session: &RuntimeSession,
    request: PrimitiveRequest,
    say: &Sender<Reply>,
    cancel: &CancellationToken,
) -> Result<PrimitiveReply, CallError> {
    let PrimitiveRequest { primitive, arguments, page, timeout } = request;
    let lease = session.lease(&route(page)).await?;
    let events = |event: &RunEvent| tell(say, Reply::Event(Box::new(event.clone())));
    let call = ToolCall::of_primitive(primitive).arguments(arguments).on(Route::Page(lease.page_id()));
    let call = call.observer(&events).cancelled_by(cancel.clone());
    let call = timeout.into_iter().fold(call, ToolCall::timeout);
    let page = lease.page();
    let (before, begun) = (page.counters(), Instant::now());
    let outcome = session.call(call).await;
    let cost = page.counters() - before;
    Ok(PrimitiveReply {
        result: outcome.result,
        commands: cost.commands,
        round_trips: cost.round_trips,
        duration_ms: Millis::from(begun.elapsed()).0,
        url: page.url(),
    })
}

/// Loads a page again and records that.
async fn record(
    held: &Held,
    request: RecordRequest,
    say: &Sender<Reply>,
    cancel: &CancellationToken,
) -> Result<(), CallError> {
    let request = RecordRequest { reload: true, ..request };
    let lease = held.session.lease(&route(request.page.clone())).await?;
    let recording = Recorded::begin(held, &lease, &request, say, cancel).await?;
    recording.end(Some(Vec::new()), say).await
}
