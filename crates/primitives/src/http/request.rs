//! `http.request`: sends a request to a site without its page.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use actions_browser::{Deadline, origin_of};
use actions_protocol::ErrorCode;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use url::form_urlencoded;

use super::address::{address, text};
use super::errors::{SiteErrors, failure, retry_after_ms, site_code};
use super::poll::{self, Address};
use crate::Failure;
use crate::scene::Scene;
use crate::services::{Host, HttpAuth, HttpCall, HttpCaller, HttpReply};

/// The largest body that is not JSON.
const LARGEST_TEXT: usize = 256 << 10;

/// The response headers that callers get to see.
const SHOWN: &[&str] = &["retry-after", "etag", "last-modified", "content-language", "location"];
/// The beginnings of the names of others.
const SHOWN_FAMILIES: &[&str] = &["x-ratelimit-", "ratelimit", "x-rate-limit-", "x-wab-rate-"];

#[derive(Deserialize)]
pub(crate) struct Args {
    method: String,
    url: String,
    #[serde(default)]
    path: Map<String, Value>,
    #[serde(default)]
    query: Map<String, Value>,
    #[serde(default)]
    headers: BTreeMap<String, String>,
    json: Option<Value>,
    form: Option<Map<String, Value>>,
    text: Option<String>,
    auth: Option<HttpAuth>,
    idempotency: Option<Idempotency>,
    #[serde(default)]
    expect: Expect,
    poll: Option<Poll>,
    max_bytes: usize,
    timeout_ms: u64,
}

#[derive(Deserialize)]
struct Idempotency {
    #[serde(rename = "in")]
    place: Place,
    name: String,
    key: Option<String>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Place {
    Body,
    Header,
    Query,
}

#[derive(Default, Deserialize)]
struct Expect {
    #[serde(default)]
    status: BTreeSet<u16>,
    #[serde(default)]
    errors: SiteErrors,
}

#[derive(Deserialize)]
struct Poll {
    url: String,
}

#[derive(Serialize)]
pub(crate) struct Output {
    status: u16,
    url: String,
    headers: BTreeMap<String, String>,
    content_type: Option<String>,
    is_json: bool,
    body: Value,
    data: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    pending: Option<bool>,
    attempts: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    idempotency_key: Option<String>,
}

/// The body of a response.
pub(super) enum Body {
    Json(Value),
    Text(String),
    Nothing,
}

impl Body {
    /// The value of a JSON body.
    pub(super) fn value(&self) -> Option<&Value> {
        match self {
            Body::Json(value) => Some(value),
            Body::Text(_) | Body::Nothing => None,
        }
    }
}

pub(crate) async fn perform(scene: Scene<'_>, args: Args) -> Result<Output, Failure> {
    let caller = scene.stage.memory().host.get().and_then(Host::http).ok_or_else(|| {
        let message = "this program sends no requests of its own: it provides no `http.request`";
        Failure::new(ErrorCode::CapabilityUnavailable, message)
    })?;
    let clock = scene.stage.clock();
    let own = scene.deadline.at_most(&*clock, Duration::from_millis(args.timeout_ms));
    let origins = scene.stage.permits().origins.clone();
    let mut exchange =
        Exchange { scene, caller, deadline: own, origins, auth: None, max_bytes: args.max_bytes, sent: 0 };
    let answered = exchange.run(args).await;
    // The time of the request and the time of the call are told apart by what is over.
    answered.map_err(|failure| match failure.code {
        ErrorCode::Timeout if scene.left().is_zero() => {
            Failure { code: ErrorCode::HandlerTimeout, ..failure }
        }
        _ => failure,
    })
}

/// What is known of an exchange of requests and responses.
pub(super) struct Exchange<'s> {
    scene: Scene<'s>,
    caller: &'s dyn HttpCaller,
    deadline: Deadline,
    origins: Option<BTreeSet<String>>,
    auth: Option<HttpAuth>,
    max_bytes: usize,
    sent: u32,
}

impl Exchange<'_> {
    async fn run(&mut self, args: Args) -> Result<Output, Failure> {
        let (call, key) = self.call(&args)?;
        self.auth = args.auth;
        let expected = |status: u16| match args.expect.status.is_empty() {
            true => (200..300).contains(&status),
            false => args.expect.status.contains(&status),
        };
        let mut reply = self.send(call.clone()).await?;
        let mut body = self.body(&reply)?;
        if !expected(reply.status)
            && self.recovers(&reply, &body, &args.expect.errors, &args.method, key.is_some()).await?
        {
            reply = self.send(call).await?;
            body = self.body(&reply)?;
        }
        if !expected(reply.status) {
            return Err(failure(&reply, &body, &args.expect.errors));
        }
        let mut pending = None;
        if let Some(poll) = &args.poll {
            let ended = poll::until_ended(self, &poll.url, (reply, body)).await?;
            (reply, body, pending) = (ended.0, ended.1, Some(ended.2));
        }
        Ok(self.output(reply, body, pending, key))
    }

    /// The request that the arguments describe, and its idempotency key.
    fn call(&self, args: &Args) -> Result<(HttpCall, Option<String>), Failure> {
        let mut query = args.query.clone();
        let mut headers: Vec<(String, String)> = args.headers.clone().into_iter().collect();
        let (mut json, mut form) = (args.json.clone(), args.form.clone());
        let key = match &args.idempotency {
            Some(Idempotency { key: Some(key), .. }) => Some(key.clone()),
            Some(Idempotency { key: None, .. }) => Some(self.caller.idempotency_key()?),
            None => None,
        };
        if let (Some(idempotency), Some(key)) = (&args.idempotency, &key) {
            let name = idempotency.name.clone();
            match (idempotency.place, &mut json, &mut form) {
                (Place::Header, _, _) => headers.push((name, key.clone())),
                (Place::Query, _, _) => drop(query.insert(name, json!(key))),
                (Place::Body, _, Some(form)) => drop(form.insert(name, json!(key))),
                (Place::Body, Some(Value::Object(members)), None) => drop(members.insert(name, json!(key))),
                (Place::Body, Some(_), None) => {
                    let message = "the idempotency key belongs into the body, which is not an object";
                    return Err(Failure::new(ErrorCode::InvalidInput, message));
                }
                (Place::Body, none, None) => *none = Some(json!({ name: key })),
            }
        }
        let url = address(&args.url, &args.path, &query)?;
        self.allowed(url.as_str())?;
        let body = match (json, form, &args.text) {
            (Some(json), _, _) => Some(("application/json".to_owned(), json.to_string().into_bytes())),
            (_, Some(form), _) => {
                let mut fields = form_urlencoded::Serializer::new(String::new());
                for (name, value) in &form {
                    fields.append_pair(name, &text(value));
                }
                Some(("application/x-www-form-urlencoded".to_owned(), fields.finish().into_bytes()))
            }
            (_, _, Some(text)) => Some(("text/plain; charset=utf-8".to_owned(), text.clone().into_bytes())),
            _ => None,
        };
        if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("accept")) {
            headers.push(("accept".to_owned(), "application/json, */*;q=0.5".to_owned()));
        }
        let call = HttpCall::new(args.method.clone(), url, self.origins.clone());
        Ok((HttpCall { headers, body, auth: args.auth.clone(), max_bytes: self.max_bytes, ..call }, key))
    }

    /// Fails if an address is of an origin that the call may not visit.
    fn allowed(&self, url: &str) -> Result<(), Failure> {
        let Some(origins) = &self.origins else { return Ok(()) };
        let origin = origin_of(url).unwrap_or_default();
        if origins.contains(&origin) {
            return Ok(());
        }
        let message = format!("`{origin}` is not an origin that this call may visit");
        Err(Failure::new(ErrorCode::CrossOriginDenied, message)
            .with_evidence("address", url)
            .with_evidence("allowed_origins", origins.iter().cloned().collect::<Vec<_>>()))
    }

    async fn send(&mut self, call: HttpCall) -> Result<HttpReply, Failure> {
        let blocked = self.caller.blocked_for(&call.url);
        if !blocked.is_zero() {
            let wait = u64::try_from(blocked.as_millis()).unwrap_or(u64::MAX);
            let message = format!("the site wants no further request for {wait} ms; none was sent");
            return Err(Failure::new(ErrorCode::RateLimited, message).with_evidence("retry_after_ms", wait));
        }
        self.sent += 1;
        self.caller.send(call, self.deadline).await
    }

    /// Fetches an address of the same exchange, with its credentials.
    pub(super) async fn get(
        &mut self,
        to: &Address,
        query: &Map<String, Value>,
    ) -> Result<(HttpReply, Body), Failure> {
        let url = address(&to.template, &to.path, query)?;
        self.allowed(url.as_str())?;
        let call = HttpCall::new("GET", url, self.origins.clone());
        let call = HttpCall { auth: self.auth.clone(), max_bytes: self.max_bytes, ..call };
        let reply = self.send(call).await?;
        let body = self.body(&reply)?;
        match (200..300).contains(&reply.status) {
            true => Ok((reply, body)),
            false => Err(failure(&reply, &body, &SiteErrors::new())),
        }
    }

    /// Waits, but not beyond the time of the exchange.
    pub(super) async fn pause(&self, pause: Duration, waiting: &str) -> Result<(), Failure> {
        let clock = self.scene.stage.clock();
        let until: Instant = clock.now() + pause;
        clock.sleep_until(until.min(self.deadline.at())).await;
        if until > self.deadline.at() {
            let message = format!("the time was over while waiting for {waiting}");
            return Err(Failure::new(ErrorCode::Timeout, message));
        }
        Ok(())
    }

    /// Does what the site has declared for its error, if it is one of the two things that are done without a person, and
    /// says whether the request may be repeated. A change is repeated only if the site cannot have made it: it refused the
    /// credentials or the pace, or it recognises the request by its key.
    async fn recovers(
        &mut self,
        reply: &HttpReply,
        body: &Body,
        declared: &SiteErrors,
        method: &str,
        has_key: bool,
    ) -> Result<bool, Failure> {
        let harmless = matches!(method, "GET" | "HEAD") || has_key || matches!(reply.status, 401 | 429);
        let known = site_code(body, reply.status, declared).and_then(|code| declared.get(&code).cloned());
        let Some(known) = known.filter(|_| harmless) else { return Ok(false) };
        if known.refresh
            && let Some(auth) = self.auth.clone()
            && let Some(refresh) = &auth.refresh
        {
            self.allowed(refresh)?;
            return self.caller.refresh(&auth, refresh, self.origins.clone(), self.deadline).await;
        }
        let Some(wait) = known.wait_ms else { return Ok(false) };
        let wait = Duration::from_millis(wait.max(retry_after_ms(reply).unwrap_or(0)));
        if wait > self.deadline.remaining(&*self.scene.stage.clock()) {
            return Ok(false);
        }
        self.pause(wait, "the pause that the site asks for").await?;
        Ok(true)
    }

    /// Reads the body of a response by its content type.
    fn body(&self, reply: &HttpReply) -> Result<Body, Failure> {
        if reply.body.is_empty() {
            return Ok(Body::Nothing);
        }
        let kind = reply.header("content-type").unwrap_or_default();
        let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        if kind == "application/json" || kind.ends_with("+json") {
            return serde_json::from_slice(&reply.body).map(Body::Json).map_err(|error| {
                let message = format!("the site says that its response is JSON, and it is not: {error}");
                Failure::new(ErrorCode::TransportFailed, message).with_evidence("url", reply.url.clone())
            });
        }
        if reply.body.len() > LARGEST_TEXT {
            let message = format!("the response is not JSON and has {} bytes", reply.body.len());
            return Err(Failure::new(ErrorCode::PayloadTooLarge, message)
                .with_evidence("max_bytes", LARGEST_TEXT)
                .with_evidence("url", reply.url.clone()));
        }
        Ok(Body::Text(String::from_utf8_lossy(&reply.body).into_owned()))
    }

    fn output(&self, reply: HttpReply, body: Body, pending: Option<bool>, key: Option<String>) -> Output {
        let content_type = reply.header("content-type").map(str::to_owned);
        let is_shown = |name: &str| {
            SHOWN.contains(&name) || SHOWN_FAMILIES.iter().any(|family| name.starts_with(family))
        };
        let headers = reply.headers.iter().filter(|(name, _)| is_shown(name)).cloned().collect();
        let (is_json, body, data) = match body {
            Body::Json(value) => (true, value.clone(), value),
            Body::Text(text) => (false, json!(text), json!({ "text": text, "content_type": content_type })),
            Body::Nothing => (false, Value::Null, json!({ "text": "", "content_type": content_type })),
        };
        let (status, url, attempts) = (reply.status, reply.url, self.sent);
        Output {
            status,
            url,
            headers,
            content_type,
            is_json,
            body,
            data,
            pending,
            attempts,
            idempotency_key: key,
        }
    }
}
