//! Commands by HTTP.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use actions_engine::browser::{Deadline, Replay};
use actions_engine::{ErrorCode, Failure, WabCall};
use serde_json::{Value, json};
use url::Url;

use super::wire::{Answer, Attempt, Command, Pace};
use super::{Agent, Line};
use crate::fetch::{Bounds, FetchError, Request, Response};

/// The methods: their name, the HTTP method, and the path behind the base.
const METHODS: &[(&str, &str, &str)] = &[
    ("wab.discover", "GET", "discover"),
    ("wab.getContext", "GET", "context"),
    ("wab.getActions", "GET", "actions"),
    ("wab.executeAction", "POST", "execute"),
    ("wab.readContent", "POST", "read"),
    ("wab.getPageInfo", "GET", "page-info"),
    ("wab.authenticate", "POST", "authenticate"),
    ("wab.subscribe", "POST", "subscribe"),
    ("wab.ping", "GET", "ping"),
];

/// How long a bridge that has answered is taken to be reachable.
const REACHABLE: Duration = Duration::from_secs(300);
/// The most places that are remembered.
const MOST: usize = 1_000;
/// The largest answer to a ping.
const PING_BYTES: usize = 64 << 10;

/// When bridges last answered.
#[derive(Debug, Default)]
pub(super) struct Reached {
    places: Mutex<HashMap<String, Instant>>,
}

impl Reached {
    fn is_recent(&self, place: &str, now: Instant) -> bool {
        let places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        places.get(place).is_some_and(|at| now.saturating_duration_since(*at) < REACHABLE)
    }

    fn note(&self, place: &str, now: Instant) {
        let mut places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        if places.len() >= MOST {
            places.clear();
        }
        places.insert(place.to_owned(), now);
    }

    fn forget(&self, place: &str) {
        self.places.lock().unwrap_or_else(PoisonError::into_inner).remove(place);
    }
}

impl Agent {
    /// Sends a command by HTTP. Before a command that may change something, the bridge is asked whether it is there if it has
    /// not answered for a while: a connection that breaks afterwards may have brought the command to it.
    pub(super) async fn by_http(
        &self,
        base: &str,
        call: &WabCall,
        command: &Command<'_>,
        deadline: Deadline,
    ) -> Result<(Option<Answer>, Pace), Attempt> {
        let client = match &self.line {
            Line::Direct { client, .. } => client,
            Line::Recorded(replay) => return replayed(replay, base, call, command),
        };
        let now = self.clock.now();
        let time = deadline.remaining(&*self.clock);
        if command.acts() && !self.reached.is_recent(base, now) {
            let ping = Request::get(address(base, "ping")?).header("x-wab-version", "1.0");
            let bounds = Bounds { time, bytes: PING_BYTES, redirects: 0, truncate: true };
            let pinged = client.send(ping.header("accept", "application/json").bounds(bounds)).await;
            let response = pinged.map_err(|error| Attempt::NotSent(failure(&error, PING_BYTES)))?;
            let pace = pace(&response);
            // A bridge that was only asked whether it is there has not run anything.
            if response.status == 429 {
                return Err(Attempt::Ended(too_fast(&pace)));
            }
            self.reached.note(base, now);
        }
        let (method, path) = line(command.method);
        let request = self.request(method, address(base, path)?, call, command, time);
        let sent = client.send(request).await;
        let mut response = sent.map_err(|error| self.broken(base, &error, call, command))?;
        // Some bridges have an address for each action.
        if command.acts() && call.lenient && response.status == 404 && !is_envelope(&response) {
            let name = command.params["name"].as_str().unwrap_or_default();
            let encoded: String = url::form_urlencoded::byte_serialize(name.as_bytes()).collect();
            let path = format!("actions/{}", encoded.replace('+', "%20"));
            let request =
                self.request(method, address(base, &path)?, call, command, deadline.remaining(&*self.clock));
            let sent = client.send(request).await;
            response = sent.map_err(|error| self.broken(base, &error, call, command))?;
        }
        self.reached.note(base, self.clock.now());
        let pace = pace(&response);
        // An address where there is no bridge has run nothing.
        let is_nowhere = matches!(response.status, 404 | 405 | 501);
        let answer = answer(&response.body, response.status).map_err(|failure| {
            match command.acts() && !is_nowhere {
                true => Attempt::Ended(failure),
                false => Attempt::NotSent(failure),
            }
        })?;
        Ok((Some(answer), pace))
    }

    fn request(
        &self,
        method: &str,
        mut url: Url,
        call: &WabCall,
        command: &Command<'_>,
        time: Duration,
    ) -> Request {
        if method == "GET" {
            for (name, value) in command.params.as_object().into_iter().flatten() {
                let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                url.query_pairs_mut().append_pair(name, &text);
            }
        }
        let bounds = Bounds { time, bytes: call.max_bytes, redirects: 3, truncate: false };
        let mut request = Request::new(method, url)
            .header("accept", "application/json")
            .header("x-wab-version", "1.0")
            .header("x-wab-request-id", command.id.as_str())
            .header("x-wab-agent-version", env!("CARGO_PKG_VERSION"))
            .bounds(bounds);
        let meta = self.meta();
        if let Some(name) = meta["agentName"].as_str() {
            request = request.header("x-wab-agent-name", name);
        }
        request.origins.clone_from(&call.origins);
        if method == "POST" {
            request =
                request.header("content-type", "application/json").body(body(call, command).to_string());
        }
        match &command.token {
            Some(token) => request.credential("authorization", format!("Bearer {}", token.text())),
            None => request,
        }
    }

    /// What an exchange that broke off means for the command.
    fn broken(&self, base: &str, error: &FetchError, call: &WabCall, command: &Command<'_>) -> Attempt {
        self.reached.forget(base);
        let failure = failure(error, call.max_bytes);
        let never_sent = matches!(
            error,
            FetchError::BadHeader { .. } | FetchError::NotWeb { .. } | FetchError::NoClient { .. }
        );
        match command.acts() && !never_sent
            || matches!(failure.code, ErrorCode::PayloadTooLarge | ErrorCode::Timeout)
        {
            true => Attempt::Ended(failure),
            false => Attempt::NotSent(failure),
        }
    }
}

/// The body of a command. Other dialects call the members differently, so a lenient agent sends both.
fn body(call: &WabCall, command: &Command<'_>) -> Value {
    let mut body = command.params.clone();
    if command.acts() && call.lenient {
        body["action"] = body["name"].clone();
        body["params"] = body.get("data").cloned().unwrap_or_else(|| json!({}));
    }
    body
}

/// The HTTP method and the path of a method.
fn line(method: &str) -> (&'static str, &'static str) {
    METHODS
        .iter()
        .find(|(known, ..)| *known == method)
        .map_or(("GET", "discover"), |(_, verb, path)| (*verb, *path))
}

fn address(base: &str, path: &str) -> Result<Url, Attempt> {
    Url::parse(&format!("{}/{path}", base.trim_end_matches('/'))).map_err(|error| {
        Attempt::NotSent(Failure::new(
            ErrorCode::InvalidInput,
            format!("`{base}` is not an address: {error}"),
        ))
    })
}

fn is_envelope(response: &Response) -> bool {
    let body: Option<Value> = serde_json::from_slice(&response.body).ok();
    body.is_some_and(|body| body["type"].is_string())
}

/// The answer in a body, if it is JSON. A response without it is of something else than a bridge.
fn answer(body: &[u8], status: u16) -> Result<Answer, Failure> {
    match serde_json::from_slice::<Value>(body) {
        Ok(envelope) if envelope.is_object() || envelope.is_array() => {
            Ok(Answer { envelope, status: Some(status) })
        }
        _ if status == 429 => Ok(Answer { envelope: json!({}), status: Some(status) }),
        _ => {
            let message = format!("the answer of the bridge, with status {status}, is not JSON");
            Err(Failure::new(ErrorCode::TransportFailed, message).with_evidence("http_status", status))
        }
    }
}

/// What the headers say about limits.
fn pace(response: &Response) -> Pace {
    let number = |name: &str| response.header(name).and_then(|value| value.trim().parse::<u64>().ok());
    let wait = number("retry-after").filter(|_| matches!(response.status, 429 | 503));
    Pace {
        retry_after: wait.map(Duration::from_secs),
        remaining: number("x-wab-rate-remaining"),
        reset: number("x-wab-rate-reset"),
    }
}

fn too_fast(pace: &Pace) -> Failure {
    let wait = pace.retry_after.map_or(0, |wait| u64::try_from(wait.as_millis()).unwrap_or(u64::MAX));
    let message = "the bridge wants fewer commands; none was sent";
    Failure::new(ErrorCode::RateLimited, message).with_evidence("retry_after_ms", wait)
}

fn failure(error: &FetchError, max_bytes: usize) -> Failure {
    let message = error.to_string();
    match error {
        FetchError::TimedOut { .. } => Failure::new(ErrorCode::Timeout, message),
        FetchError::TooLarge { .. } => {
            Failure::new(ErrorCode::PayloadTooLarge, message).with_evidence("max_bytes", max_bytes)
        }
        FetchError::BadRedirect { to, .. } => {
            Failure::new(ErrorCode::CrossOriginDenied, message).with_evidence("address", to.clone())
        }
        _ => Failure::new(ErrorCode::TransportFailed, message),
    }
}

/// The answer of a recording.
fn replayed(
    replay: &Replay,
    base: &str,
    call: &WabCall,
    command: &Command<'_>,
) -> Result<(Option<Answer>, Pace), Attempt> {
    let (method, path) = line(command.method);
    let mut url = address(base, path)?;
    if method == "GET" {
        for (name, value) in command.params.as_object().into_iter().flatten() {
            url.query_pairs_mut().append_pair(name, value.as_str().unwrap_or_default());
        }
    }
    let body = if method == "POST" { body(call, command).to_string() } else { String::new() };
    let kind = (method == "POST").then_some("application/json");
    let found = replay.direct(method, url.as_str(), body.as_bytes(), kind).map_err(|miss| {
        let message = format!("the recording does not hold the command: {} {}", miss.method, miss.url);
        Attempt::Ended(Failure::new(ErrorCode::ReplayMiss, message))
    })?;
    let status = found.status.unwrap_or(502);
    let answer = answer(&found.body, status).map_err(Attempt::Ended)?;
    Ok((Some(answer), Pace::default()))
}
