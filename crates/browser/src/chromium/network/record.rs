//! Records responses before the page receives them: their bodies are complete then, and no navigation can discard them.

use std::sync::Arc;

use chromiumoxide_cdp::cdp::browser_protocol::fetch::GetResponseBodyParams;
use data_encoding::BASE64;
use serde::Deserialize;

use super::{RequestPaused, go_on, place};
use crate::cdp::{Event, Session};
use crate::har::{Exchange, Header, Moment, RecordedBody, Recorder};

/// Types of responses that may never end, unless they have a `content-length`.
const STREAMS: &[&str] = &[
    "text/event-stream",
    "multipart/x-mixed-replace",
    "application/x-ndjson",
    "application/ndjson",
    "application/jsonl",
    "application/json-seq",
    "application/grpc",
    "audio/",
    "video/",
];

/// Records a paused response and continues it.
pub(super) fn record(recorder: &Arc<Recorder>, session: &Session, paused: &RequestPaused) {
    let exchange = |body| exchange(paused, body);
    let status = paused.response_status_code.unwrap_or(0);
    let headers = paused.response_headers.as_deref().unwrap_or_default();
    let is = |name: &str, wanted: fn(&str) -> bool| {
        headers.iter().any(|header| header.name.eq_ignore_ascii_case(name) && wanted(&header.value))
    };
    let is_redirect = (300..400).contains(&status) && is("location", |_| true);
    if paused.response_error_reason.is_some() || is_redirect {
        recorder.add(exchange(RecordedBody::Known(Vec::new())));
        go_on(session, paused);
        return;
    }
    let is_stream = |mime: &str| STREAMS.iter().any(|stream| mime.to_ascii_lowercase().starts_with(stream));
    if is("content-type", is_stream) && !is("content-length", |_| true) {
        // Reading the body would make the page wait for its end: the browser then delivers it only as a whole.
        recorder.add(exchange(RecordedBody::Lost));
        go_on(session, paused);
        return;
    }
    let mut exchange = exchange(RecordedBody::Lost);
    let (recorder, home) = (recorder.clone(), session.clone());
    let request_id = paused.request_id.clone();
    recorder.body_asked_for();
    session.send_then(GetResponseBodyParams::new(request_id.clone()), move |answer| {
        exchange.body = match answer {
            Ok(body) if body.base64_encoded => {
                BASE64.decode(body.body.as_bytes()).map_or(RecordedBody::Lost, RecordedBody::Known)
            }
            Ok(body) => RecordedBody::Known(body.body.into_bytes()),
            Err(error) => {
                tracing::debug!("the body of {} was not recorded: {error}", place(&exchange.url));
                RecordedBody::Lost
            }
        };
        recorder.add(exchange);
        recorder.body_arrived();
        let command = super::ContinueRequestParams::new(request_id);
        home.send_then(command, drop);
    });
}

fn exchange(paused: &RequestPaused, body: RecordedBody) -> Exchange {
    let request = &paused.request;
    let headers = request.headers.iter();
    Exchange {
        network_id: paused.network_id.clone(),
        resource: paused.resource_type.clone(),
        method: request.method.clone(),
        url: request.url.clone(),
        request_headers: headers
            .map(|(name, value)| Header { name: name.clone(), value: value.clone() })
            .collect(),
        request_body: request.body(),
        status: paused.response_status_code.unwrap_or(0),
        phrase: paused.response_status_text.clone().unwrap_or_default(),
        headers: paused.response_headers.clone().unwrap_or_default(),
        error: paused.response_error_reason.clone(),
        body,
    }
}

/// Records what only the `Network` domain reports: the start of a request, its cookies, and those of its response.
pub(crate) fn record_event(recorder: &Recorder, event: Event<'_>) {
    match event.method {
        "Network.requestWillBeSent" => {
            if let Some(event) = event.read::<RequestWillBeSent>() {
                recorder.begun(event.request_id, Moment { wall: event.wall_time, at: event.timestamp });
            }
        }
        "Network.requestWillBeSentExtraInfo" => {
            if let Some(event) = event.read::<RequestWillBeSentExtraInfo>() {
                recorder.sent_headers(event.headers.into_iter().map(|(name, value)| Header { name, value }));
            }
        }
        "Network.responseReceivedExtraInfo" => {
            if let Some(event) = event.read::<ResponseReceivedExtraInfo>() {
                let headers = event.headers.into_iter().map(|(name, value)| Header { name, value }).collect();
                recorder.raw_headers(event.request_id, event.status_code, headers);
            }
        }
        _ => {}
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RequestWillBeSent {
    request_id: String,
    timestamp: f64,
    wall_time: f64,
}

#[derive(Deserialize)]
struct RequestWillBeSentExtraInfo {
    headers: std::collections::BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ResponseReceivedExtraInfo {
    request_id: String,
    #[serde(default)]
    status_code: i64,
    headers: std::collections::BTreeMap<String, String>,
}
