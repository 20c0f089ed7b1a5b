//! A trace as a part of a report.

mod reports;
mod state_change;
mod steps;

use actions_engine::{Entry, ErrorObject, EventKind, Trace};
use serde_json::{Value, json};

use super::html::Html;
use super::page::{Part, sign, tile};
use super::source;
use steps::Steps;

/// How the call of a trace ended.
struct Ended<'t> {
    ok: bool,
    value: Option<&'t Value>,
    error: Option<&'t ErrorObject>,
    duration_ms: u64,
}

/// The part for a trace.
pub(super) fn part(trace: &Trace) -> Part {
    let ended = ended(trace);
    let steps = Steps::of(trace);
    let reports = reports::reports(trace);
    let mut html = Html::default();
    html.raw("<header class=head><h2>");
    sign(&mut html, ended.ok);
    html.text(&trace.about.tool).raw("</h2>");
    if let Some(description) = trace.plan.get("description").and_then(Value::as_str) {
        html.element("p", description);
    }
    html.raw("<p class=hush>").text(&trace.about.started_at);
    for map in &trace.about.maps {
        html.raw(" · ").text(&map.name);
    }
    html.raw("</p><div class=tiles>");
    tile(&mut html, if ended.ok { "good" } else { "bad" }, if ended.ok { "ok" } else { "failed" }, "outcome");
    tile(&mut html, "", format_args!("{} ms", ended.duration_ms), "took");
    tile(&mut html, "", steps.len(), "steps");
    tile(&mut html, if reports.is_empty() { "" } else { "warn" }, reports.len(), "reports of the page");
    html.raw("</div></header>\n");
    if let Some(error) = ended.error {
        failure(&mut html, error);
    }
    html.raw("<div class=sides><div><h3>Arguments</h3>");
    html.json(&input(trace)).raw("</div>");
    if let Some(value) = ended.value {
        html.raw("<div><h3>Value</h3>").json(value).raw("</div>");
    }
    html.raw("</div>\n");
    state_change::write(&mut html, trace);
    html.raw("<h3>Steps</h3>\n");
    steps.write(&mut html, trace, ended.duration_ms);
    reports::write(&mut html, &reports);
    Part { title: trace.about.tool.to_string(), ok: ended.ok, body: html }
}

/// The events of a trace that this version knows.
fn events(trace: &Trace) -> impl Iterator<Item = (u64, &actions_engine::RunEvent)> {
    trace.events.iter().filter_map(|recorded| match &recorded.entry {
        Entry::Event(event) => Some((recorded.at_ms, &**event)),
        Entry::Unknown { .. } => None,
    })
}

fn ended(trace: &Trace) -> Ended<'_> {
    let last = trace.events.last().map_or(0, |last| last.at_ms);
    let unfinished = Ended { ok: false, value: None, error: None, duration_ms: last };
    let of_the_call = events(trace).filter(|(_, event)| event.within.is_empty());
    of_the_call.fold(unfinished, |known, (_, event)| match &event.kind {
        EventKind::CallFinished { ok, value, error, duration_ms } => {
            Ended { ok: *ok, value: value.as_deref(), error: error.as_deref(), duration_ms: *duration_ms }
        }
        _ => known,
    })
}

fn input(trace: &Trace) -> Value {
    let started = events(trace).find_map(|(_, event)| match &event.kind {
        EventKind::CallStarted { input, .. } => Some((**input).clone()),
        _ => None,
    });
    started.unwrap_or_else(|| json!({}))
}

/// What went wrong, where in the map, and what was seen.
fn failure(html: &mut Html, error: &ErrorObject) {
    html.raw("<section class=failure aria-label=Failure><p class=error>").text(&error.message);
    html.raw(" <code>").text(&error.code).raw("</code></p>");
    if let Some(recovery) = error.extra.get("safe_recovery").and_then(Value::as_str) {
        html.raw("<p><b>Then:</b> ").text(recovery).raw("</p>");
    }
    let place = error.extra.get("place");
    let map = place.and_then(|place| place.get("map")?.as_str());
    let line =
        place.and_then(|place| place.get("line")?.as_u64()).and_then(|line| usize::try_from(line).ok());
    if let (Some(map), Some(line)) = (map, line) {
        source::lines(html, map, line);
    }
    if let Some(evidence) = &error.evidence {
        html.raw("<details class=more><summary>evidence</summary>").json(&json!(evidence)).raw("</details>");
    }
    html.raw("</section>\n");
}
