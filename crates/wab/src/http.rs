//! The bridge by HTTP: the discovery document, the methods, and streams of events.

use std::convert::Infallible;
use std::time::Duration;

use actions_doors::Peer;
use actions_protocol::WabCode;
use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ALLOW, AUTHORIZATION, CACHE_CONTROL, CONTENT_TYPE,
    ETAG, IF_NONE_MATCH, ORIGIN, RETRY_AFTER, USER_AGENT, VARY,
};
use axum::http::{Extensions, HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use serde_json::{Map, Value, json};
use tokio::sync::broadcast::error::RecvError;

use crate::bridge::{Bridge, Subscription};
use crate::caller::Caller;
use crate::dispatch::refused;
use crate::document::{BASE, PLACES};
use crate::message::{Command, Fault, Reply};
use crate::methods::METHODS;

/// The version of the protocol.
const VERSION: HeaderName = HeaderName::from_static("x-wab-version");
const REQUEST_ID: HeaderName = HeaderName::from_static("x-wab-request-id");
const AGENT: HeaderName = HeaderName::from_static("x-wab-agent-name");
const REMAINING: HeaderName = HeaderName::from_static("x-wab-rate-remaining");
const RESET: HeaderName = HeaderName::from_static("x-wab-rate-reset");

/// The request headers that pages of other origins may send.
const ALLOWED: &str =
    "Content-Type, Authorization, X-WAB-Version, X-WAB-Request-Id, X-WAB-Agent-Name, X-WAB-Agent-Version";
/// The response headers that they may read.
const EXPOSED: &str = "X-WAB-Version, X-WAB-Request-Id, X-WAB-Rate-Remaining, X-WAB-Rate-Reset, Retry-After";
/// The largest body of a command.
const BODY: usize = 1 << 20;
/// How long a body may take to arrive.
const ARRIVING: Duration = Duration::from_secs(30);
/// The time between two comments on a stream, so that a client sees that it lives.
const ALIVE: Duration = Duration::from_secs(15);
/// The longest id of a request.
const LONGEST_ID: usize = 256;
/// The path of streams, behind the base.
const EVENTS: &str = "events/";

/// Everything that the bridge serves by requests.
pub(crate) fn router(bridge: Bridge) -> Router {
    PLACES
        .iter()
        .fold(Router::new(), |router, place| router.route(place, axum::routing::any(discovery)))
        .route(&format!("{BASE}/{{*path}}"), axum::routing::any(command))
        .with_state(bridge)
}

fn origin(headers: &HeaderMap) -> Option<String> {
    headers.get(ORIGIN).map(|value| value.to_str().unwrap_or("unreadable").to_owned())
}

/// Answers a request for the discovery document.
async fn discovery(State(bridge): State<Bridge>, request: Request) -> Response {
    let mut response = match *request.method() {
        Method::OPTIONS => StatusCode::NO_CONTENT.into_response(),
        Method::GET | Method::HEAD => {
            let (text, tag) = bridge.shared.tagged();
            let known = request.headers().get(IF_NONE_MATCH).and_then(|value| value.to_str().ok());
            let is_known = known
                .is_some_and(|tags| tags.split(',').any(|one| one.trim().trim_start_matches("W/") == tag));
            let mut response = match is_known {
                true => StatusCode::NOT_MODIFIED.into_response(),
                false => (StatusCode::OK, text).into_response(),
            };
            set(response.headers_mut(), ETAG, &tag);
            set(response.headers_mut(), CACHE_CONTROL, "public, max-age=300");
            set(response.headers_mut(), CONTENT_TYPE, "application/json");
            response
        }
        _ => not_allowed("GET"),
    };
    set(response.headers_mut(), VERSION, "1.0");
    // The document is public, whoever reads it.
    share(response.headers_mut(), Some("*".to_owned()));
    response
}

/// Answers a request for a method.
async fn command(State(bridge): State<Bridge>, request: Request) -> Response {
    let from = origin(request.headers());
    let shared = bridge.shared.origins().shared_with(from.as_deref());
    let mut response = match *request.method() {
        Method::OPTIONS => StatusCode::NO_CONTENT.into_response(),
        _ => Box::pin(answered(&bridge, request, from)).await,
    };
    set(response.headers_mut(), VERSION, "1.0");
    share(response.headers_mut(), shared);
    response
}

async fn answered(bridge: &Bridge, request: Request, from: Option<String>) -> Response {
    let (parts, body) = request.into_parts();
    let path = parts.uri.path().strip_prefix(BASE).unwrap_or_default().trim_start_matches('/').to_owned();
    let given_id = parts.headers.get(REQUEST_ID).and_then(|value| value.to_str().ok());
    let given_id = given_id.filter(|id| !id.is_empty() && id.len() <= LONGEST_ID).map(str::to_owned);
    let id = given_id.clone().map_or(Value::Null, Value::String);
    let fail = |code, message: &str| respond(refused(&id, Fault::new(code, message)), given_id.as_deref());
    if let Some(version) = parts.headers.get(VERSION) {
        let known = version.to_str().is_ok_and(|version| {
            version == "1.0" || !bridge.shared.options.strict && version.starts_with("1.")
        });
        if !known {
            return fail(WabCode::UnsupportedVersion, "the bridge speaks version 1.0 of the protocol");
        }
    } else if bridge.shared.options.strict && !path.starts_with(EVENTS) {
        return fail(
            WabCode::UnsupportedVersion,
            "the request names no version: `X-WAB-Version: 1.0` is missing",
        );
    }
    if let Some(id) = path.strip_prefix(EVENTS).filter(|_| parts.method == Method::GET) {
        if !bridge.shared.origins().accept(from.as_deref()) {
            return fail(WabCode::OriginMismatch, "the page is not of an origin that the bridge accepts");
        }
        return match bridge.shared.take_subscription(id) {
            Some(subscription) => events(subscription),
            None => fail(WabCode::InvalidParams, "there is no such subscription, or it is too old"),
        };
    }
    // An action may have an address of its own, for clients of another dialect.
    let named = path
        .strip_prefix("actions/")
        .filter(|_| !bridge.shared.options.strict && parts.method == Method::POST);
    let verb = parts.method.as_str();
    let method = match named {
        Some(_) => "wab.executeAction",
        None => match METHODS.iter().find(|method| method.path == path) {
            Some(method) if method.verb == verb => method.name,
            Some(method) => return not_allowed(method.verb),
            None => return fail(WabCode::InvalidMethod, "there is no such method"),
        },
    };
    let params = match parts.method == Method::POST {
        false => query(parts.uri.query().unwrap_or_default()),
        true => {
            let arrived = tokio::time::timeout(ARRIVING, to_bytes(body, BODY)).await;
            let Ok(Ok(bytes)) = arrived else {
                return fail(WabCode::InvalidCommand, "the body is too large, or did not arrive in time");
            };
            match serde_json::from_slice::<Value>(&bytes) {
                Ok(Value::Object(params)) => params,
                _ => return fail(WabCode::InvalidCommand, "the body is no JSON object"),
            }
        }
    };
    let params = match named {
        Some(name) => named_action(name, params),
        None if method == "wab.executeAction" && !bridge.shared.options.strict => of_other_dialects(params),
        None => params,
    };
    let bearer = parts.headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok());
    let token = bearer.and_then(|value| value.strip_prefix("Bearer ")).map(str::to_owned);
    if bearer.is_some() && token.is_none() {
        return fail(WabCode::InvalidToken, "the `Authorization` header has no bearer token");
    }
    let caller = Caller {
        stream: Some(format!("{BASE}/{EVENTS}")),
        ..caller(&parts.extensions, &parts.headers, from)
    };
    let command = Command { id, token, ..Command::new(method, params) };
    let answered = bridge.answer(&caller, command).await;
    respond(answered.reply, given_id.as_deref())
}

/// Where a request comes from.
pub(crate) fn caller(extensions: &Extensions, headers: &HeaderMap, from: Option<String>) -> Caller {
    let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
    let peer = extensions.get::<Peer>().map(|peer| peer.0.ip());
    Caller {
        holder: peer.map_or_else(|| "unknown".to_owned(), |ip| ip.to_string()),
        origin: from,
        agent: text(AGENT),
        user_agent: text(USER_AGENT),
        is_far: peer.is_none_or(|ip| !ip.is_loopback()),
        ..Caller::default()
    }
}

/// The parameters of a query.
fn query(query: &str) -> Map<String, Value> {
    let pairs = url::form_urlencoded::parse(query.as_bytes()).take(100);
    pairs.map(|(name, value)| (name.into_owned(), Value::String(value.into_owned()))).collect()
}

/// The parameters of an action with an address of its own.
fn named_action(name: &str, mut params: Map<String, Value>) -> Map<String, Value> {
    let decoded = url::form_urlencoded::parse(format!("n={}", name.replace('+', "%2B")).as_bytes())
        .next()
        .map(|(_, name)| name.into_owned());
    let data =
        params.shift_remove("params").or_else(|| params.shift_remove("data")).unwrap_or_else(|| json!({}));
    let mut made = Map::new();
    made.insert("name".to_owned(), json!(decoded.unwrap_or_default()));
    made.insert("data".to_owned(), data);
    made
}

/// The parameters of clients that write `action` and `params` for `name` and `data`.
fn of_other_dialects(mut params: Map<String, Value>) -> Map<String, Value> {
    for (alias, meant) in [("action", "name"), ("params", "data")] {
        if let Some(value) = params.shift_remove(alias) {
            params.entry(meant).or_insert(value);
        }
    }
    params
}

/// The response of an answer.
fn respond(reply: Reply, given_id: Option<&str>) -> Response {
    let status = StatusCode::from_u16(reply.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = (status, reply.message.to_string()).into_response();
    let headers = response.headers_mut();
    set(headers, CONTENT_TYPE, "application/json");
    set(headers, CACHE_CONTROL, "no-store");
    if let Some(wait) = reply.retry_after {
        set(headers, RETRY_AFTER, &wait.to_string());
    }
    if let Some((remaining, reset)) = reply.rate {
        set(headers, REMAINING, &remaining.to_string());
        set(headers, RESET, &reset.to_string());
    }
    let id = given_id.map(str::to_owned).or_else(|| reply.message["id"].as_str().map(str::to_owned));
    if let Some(id) = id {
        set(headers, REQUEST_ID, &id);
    }
    response
}

fn not_allowed(verb: &'static str) -> Response {
    let mut response = respond(
        refused(
            &Value::Null,
            Fault::new(WabCode::InvalidMethod, format!("this method is called with {verb}")),
        ),
        None,
    );
    *response.status_mut() = StatusCode::METHOD_NOT_ALLOWED;
    set(response.headers_mut(), ALLOW, verb);
    response
}

/// A stream of the events of a subscription.
fn events(subscription: Subscription) -> Response {
    let stream = stream::unfold(subscription, |mut subscription| async move {
        loop {
            let next = tokio::time::timeout(ALIVE, subscription.receiver.recv()).await;
            let text = match next {
                Err(_) => ": alive\n\n".to_owned(),
                Ok(Ok(happened)) => {
                    let is_wanted = subscription.events.contains(&happened.event);
                    let is_for_it = happened.only.is_none_or(|only| subscription.session == Some(only));
                    if !is_wanted || !is_for_it {
                        continue;
                    }
                    format!(
                        "event: {}\ndata: {}\n\n",
                        happened.event.replace(['\r', '\n'], " "),
                        happened.message()
                    )
                }
                Ok(Err(RecvError::Lagged(_))) => continue,
                Ok(Err(RecvError::Closed)) => return None,
            };
            return Some((Ok::<_, Infallible>(Bytes::from(text)), subscription));
        }
    });
    let mut response = Response::new(Body::from_stream(stream));
    set(response.headers_mut(), CONTENT_TYPE, "text/event-stream");
    set(response.headers_mut(), CACHE_CONTROL, "no-store");
    response
}

/// Says which pages may read a response.
fn share(headers: &mut HeaderMap, with: Option<String>) {
    if let Some(origin) = with {
        set(headers, ACCESS_CONTROL_ALLOW_ORIGIN, &origin);
        if origin != "*" {
            set(headers, VARY, "Origin");
        }
    }
    set(headers, ACCESS_CONTROL_ALLOW_METHODS, "GET, POST, OPTIONS");
    set(headers, ACCESS_CONTROL_ALLOW_HEADERS, ALLOWED);
    set(headers, ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
    set(headers, ACCESS_CONTROL_MAX_AGE, "86400");
}

fn set(headers: &mut HeaderMap, name: HeaderName, value: &str) {
    // Values that cannot stand in a header are left out.
    if let Ok(value) = HeaderValue::from_str(value) {
        headers.insert(name, value);
    }
}
