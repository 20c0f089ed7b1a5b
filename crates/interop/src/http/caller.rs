//! The sender of requests behind `http.request`.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use actions_engine::browser::{Clock, Deadline, SystemClock, origin_of};
use actions_engine::{ErrorCode, Failure, HttpAuth, HttpCall, HttpCaller, HttpReply};
use async_trait::async_trait;
use url::Url;

use super::key;
use super::renewal::renewed;
use crate::credentials::{Credential, Credentials};
use crate::fetch::{Bounds, Client, FetchError, Request, Response};

/// The longest time that an origin may keep us from asking again.
const LONGEST_BLOCK: Duration = Duration::from_secs(3_600);
/// How many redirects are followed.
const REDIRECTS: usize = 5;
/// The largest response to a renewal of credentials.
const RENEWAL_BYTES: usize = 64 << 10;
/// What stands in a response for a credential that the site repeats.
const HIDDEN: &str = "[secret]";
/// A shorter credential could be part of anything.
const SHORTEST_HIDDEN: usize = 6;

/// Sends the requests of `http.request` by HTTP.
#[derive(Debug)]
pub struct DirectCaller {
    client: Client,
    credentials: Arc<Credentials>,
    clock: Arc<dyn Clock>,
    /// Until when origins want no further request.
    blocked: Mutex<HashMap<String, Instant>>,
}

impl DirectCaller {
    /// Sends requests by a client, with the credentials of a store.
    pub fn new(client: Client, credentials: Arc<Credentials>) -> Self {
        Self { client, credentials, clock: Arc::new(SystemClock), blocked: Mutex::default() }
    }

    /// The credentials for an address, if there are some and the request wants them.
    fn credential(&self, auth: Option<&HttpAuth>, url: &str) -> Result<Option<Credential>, Failure> {
        let Some(auth) = auth else { return Ok(None) };
        let origin = origin_of(url).unwrap_or_default();
        let found = self.credentials.find(&origin, &auth.system).map_err(|error| {
            Failure::new(
                ErrorCode::CapabilityUnavailable,
                format!("the stored credentials cannot be read: {error}"),
            )
        })?;
        if found.is_none() && auth.required {
            let message = format!("no credentials for {} are stored for {origin}", auth.system);
            let hint =
                format!("store them: actions auth set {origin} --system {} --scheme SCHEME", auth.system);
            return Err(Failure::new(ErrorCode::AuthRequired, message)
                .with_evidence("origin", origin)
                .with_evidence("system", auth.system.clone())
                .with_evidence("hint", hint));
        }
        Ok(found)
    }

    /// Notes how long the site wants no further request.
    fn note_limits(&self, response: &Response) {
        let wait = response.header("retry-after").and_then(|value| value.trim().parse::<u64>().ok());
        let (Some(wait), 429 | 503) = (wait, response.status) else { return };
        let until = self.clock.now() + Duration::from_secs(wait).min(LONGEST_BLOCK);
        let origin = response.url.origin().ascii_serialization();
        self.blocked.lock().unwrap_or_else(PoisonError::into_inner).insert(origin, until);
    }
}

#[async_trait]
impl HttpCaller for DirectCaller {
    async fn send(&self, call: HttpCall, deadline: Deadline) -> Result<HttpReply, Failure> {
        let url = address(&call.url)?;
        let credential = self.credential(call.auth.as_ref(), &call.url)?;
        let mut request = Request::new(call.method, url).bounds(Bounds {
            time: deadline.remaining(&*self.clock),
            bytes: call.max_bytes,
            redirects: REDIRECTS,
            truncate: false,
        });
        request.origins = call.origins;
        request.headers = call.headers;
        if let Some((content_type, body)) = call.body {
            request = request.header("content-type", content_type).body(body);
        }
        if let Some(credential) = &credential {
            let (name, value) = credential.header(call.auth.as_ref());
            request = request.credential(name, value);
        }
        let response = self.client.send(request).await.map_err(|error| failure(&error, call.max_bytes))?;
        self.note_limits(&response);
        Ok(reply(response, credential.as_ref()))
    }

    async fn refresh(
        &self,
        auth: &HttpAuth,
        url: &str,
        origins: Option<BTreeSet<String>>,
        deadline: Deadline,
    ) -> Result<bool, Failure> {
        let Some(credential) = self.credential(Some(auth), url)? else { return Ok(false) };
        let (name, value) = credential.header(Some(auth));
        let bounds = Bounds {
            time: deadline.remaining(&*self.clock),
            bytes: RENEWAL_BYTES,
            redirects: 0,
            truncate: false,
        };
        let mut request = Request::new("POST", address(url)?).credential(name, value).bounds(bounds);
        request.origins = origins;
        let request = request.header("content-type", "application/json").body("{}");
        let response = self.client.send(request).await.map_err(|error| failure(&error, RENEWAL_BYTES))?;
        let Some(renewed) = response.is_success().then(|| renewed(&credential, &response.body)).flatten()
        else {
            return Ok(false);
        };
        let origin = origin_of(url).unwrap_or_default();
        let kept = self.credentials.set(&origin, &auth.system, renewed);
        kept.map(|()| true).map_err(|error| {
            let message = format!("the renewed credentials cannot be stored: {error}");
            Failure::new(ErrorCode::CapabilityUnavailable, message)
        })
    }

    fn idempotency_key(&self) -> Result<String, Failure> {
        key::random().map_err(|error| Failure::new(ErrorCode::InternalError, error.to_string()))
    }

    fn blocked_for(&self, url: &str) -> Duration {
        let blocked = self.blocked.lock().unwrap_or_else(PoisonError::into_inner);
        let until = origin_of(url).and_then(|origin| blocked.get(&origin).copied());
        until.map_or(Duration::ZERO, |until| until.saturating_duration_since(self.clock.now()))
    }
}

fn address(url: &str) -> Result<Url, Failure> {
    Url::parse(url).map_err(|error| Failure::new(ErrorCode::InvalidInput, format!("`{url}`: {error}")))
}

/// The response, without the credentials if the site repeats them.
fn reply(response: Response, credential: Option<&Credential>) -> HttpReply {
    let secrets: Vec<&str> = credential.into_iter().flat_map(Credential::texts).collect();
    let hide = |text: String| {
        let long = secrets.iter().filter(|secret| secret.len() >= SHORTEST_HIDDEN);
        long.fold(
            text,
            |text, secret| if text.contains(secret) { text.replace(secret, HIDDEN) } else { text },
        )
    };
    let body = match String::from_utf8(response.body) {
        Ok(text) => hide(text).into_bytes(),
        Err(bytes) => bytes.into_bytes(),
    };
    HttpReply {
        status: response.status,
        url: hide(response.url.to_string()),
        headers: response.headers.into_iter().map(|(name, value)| (name, hide(value))).collect(),
        body,
        authenticated: credential.is_some(),
    }
}

/// Why there is no response, as callers of `http.request` know it.
fn failure(error: &FetchError, max_bytes: usize) -> Failure {
    let message = error.to_string();
    match error {
        FetchError::TimedOut { limit, .. } => {
            let limit = u64::try_from(limit.as_millis()).unwrap_or(u64::MAX);
            Failure::new(ErrorCode::Timeout, message).with_evidence("limit_ms", limit)
        }
        FetchError::TooLarge { .. } => {
            Failure::new(ErrorCode::PayloadTooLarge, message).with_evidence("max_bytes", max_bytes)
        }
        FetchError::BadRedirect { to, .. } => {
            Failure::new(ErrorCode::CrossOriginDenied, message).with_evidence("address", to.clone())
        }
        FetchError::BadHeader { .. } | FetchError::NotWeb { .. } => {
            Failure::new(ErrorCode::InvalidInput, message)
        }
        _ => Failure::new(ErrorCode::TransportFailed, message),
    }
}
