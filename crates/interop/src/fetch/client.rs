//! The client: one request with its redirects, and the requests that may be answered from memory.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use actions_engine::browser::{Clock, SystemClock};
use reqwest::header::{ACCEPT_ENCODING, HeaderMap, HeaderName, HeaderValue, LOCATION, USER_AGENT};
use reqwest::{Method, redirect};
use url::Url;

use super::body::{Body, Fault};
use super::cache::Cache;
use super::route::{check, origin, short};
use super::{Bounds, FetchError, Request, Response};
use crate::identity::Identity;

/// Talks to sites by HTTP. Every request says who asks, every response is bounded, and documents are kept as long as their
/// headers allow. Clones share what they keep.
///
/// ```no_run
/// # async fn example() -> Result<(), actions_interop::fetch::FetchError> {
/// use std::time::Duration;
/// use actions_interop::fetch::Client;
/// use actions_interop::identity::Identity;
///
/// let client = Client::new(Identity::default())?;
/// let url = "https://example.com/siteai.json".parse().unwrap();
/// let response = client.document(&url, Duration::from_secs(3600)).await?;
/// println!("{} {} bytes", response.status, response.body.len());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Client {
    /// Made when the first request is sent: reading the certificates of the machine takes a moment.
    http: Arc<OnceLock<Result<reqwest::Client, FetchError>>>,
    identity: Arc<Identity>,
    /// What fetching a document may use up.
    bounds: Bounds,
    clock: Arc<dyn Clock>,
    cache: Arc<Cache>,
}

/// How long a client waits for a connection.
const CONNECTING: Duration = Duration::from_secs(5);

impl Client {
    /// A client of this identity.
    pub fn new(identity: Identity) -> Result<Self, FetchError> {
        Self::on_clock(identity, Arc::new(SystemClock))
    }

    /// A client whose memory follows another clock. The bounds of requests are in real time.
    pub fn on_clock(identity: Identity, clock: Arc<dyn Clock>) -> Result<Self, FetchError> {
        for (name, value) in
            identity.headers().into_iter().chain([("user-agent", identity.user_agent().as_str())])
        {
            insert(&mut HeaderMap::new(), name, value)?;
        }
        let (http, cache, bounds) = (Arc::default(), Arc::default(), Bounds::default());
        Ok(Self { http, identity: Arc::new(identity), bounds, clock, cache })
    }

    /// Sets what fetching a document may use up.
    #[must_use]
    pub fn bounded(mut self, bounds: Bounds) -> Self {
        self.bounds = bounds;
        self
    }

    /// What fetching a document may use up.
    pub fn bounds(&self) -> Bounds {
        self.bounds
    }

    fn http(&self) -> Result<&reqwest::Client, FetchError> {
        self.http.get_or_init(http).as_ref().map_err(Clone::clone)
    }

    /// Who this client says it is.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// The clock that decides how long responses are kept.
    pub fn clock(&self) -> &Arc<dyn Clock> {
        &self.clock
    }

    /// Fetches a document, from memory while it is fresh. A response that sets no time is used for `otherwise`. A document
    /// that may have changed is asked about, and not fetched again if it has not.
    pub async fn document(&self, url: &Url, otherwise: Duration) -> Result<Arc<Response>, FetchError> {
        self.kept(Request::get(url.clone()).bounds(self.bounds), otherwise).await
    }

    /// Like [`Client::document`] for a request with headers or bounds of its own. It has no credentials: what they open is
    /// not kept.
    pub async fn kept(&self, request: Request, otherwise: Duration) -> Result<Arc<Response>, FetchError> {
        let mut url = request.url.clone();
        url.set_fragment(None);
        let known = self.cache.find(url.as_str());
        if let Some(known) = &known
            && self.clock.now() < known.until
        {
            return Ok(Arc::clone(&known.response));
        }
        let validators = known.as_ref().map(|known| validators(&known.response)).unwrap_or_default();
        let mut asked = Request { credentials: Vec::new(), ..request };
        asked.headers.extend(validators);
        let response = self.send(asked).await?;
        let response = match (&known, response.status) {
            (Some(known), 304) => Arc::new(renewed(&known.response, response)),
            _ => Arc::new(response),
        };
        // An error of the server says nothing about the document.
        if response.status < 500 {
            self.cache.keep(url.as_str(), &response, otherwise, self.clock.now());
        }
        Ok(response)
    }

    /// Until when the response of an address is used without asking again; none if none is kept.
    pub fn fresh_until(&self, url: &Url) -> Option<std::time::Instant> {
        let mut url = url.clone();
        url.set_fragment(None);
        self.cache.find(url.as_str()).map(|kept| kept.until)
    }

    /// Forgets what is kept of an address, so that it is fetched again.
    pub fn forget(&self, url: &Url) {
        let mut url = url.clone();
        url.set_fragment(None);
        self.cache.forget(url.as_str());
    }

    /// Sends a request and reads the response, within the bounds of the request. Redirects are followed: a credential stays
    /// on the origin it was given for, and a body is not sent to another origin.
    pub async fn send(&self, request: Request) -> Result<Response, FetchError> {
        let limit = request.bounds.time;
        let origin = origin(&request.url);
        let sent = Box::pin(self.follow(request));
        tokio::time::timeout(limit, sent).await.unwrap_or(Err(FetchError::TimedOut { origin, limit }))
    }

    async fn follow(&self, mut request: Request) -> Result<Response, FetchError> {
        if !matches!(request.url.scheme(), "http" | "https") {
            return Err(FetchError::NotWeb { url: short(request.url.as_str()) });
        }
        let limit = request.bounds.redirects;
        for _ in 0..=limit {
            let response = self.once(&request).await?;
            let Some(to) = location(&request, &response)? else { return Ok(response) };
            request = redirected(request, response.status, to)?;
        }
        Err(FetchError::TooManyRedirects { origin: origin(&request.url), limit })
    }

    /// Sends a request without following a redirect.
    async fn once(&self, request: &Request) -> Result<Response, FetchError> {
        let bounds = request.bounds;
        let unreachable = |error: reqwest::Error| FetchError::Unreachable {
            origin: origin(&request.url),
            reason: short(&cause(&error.without_url())),
        };
        let fault = |fault| match fault {
            Fault::TooLarge => FetchError::TooLarge { origin: origin(&request.url), limit: bounds.bytes },
            Fault::Encoding(reason) => FetchError::Encoding { origin: origin(&request.url), reason },
        };
        let bad_method = |_| FetchError::BadHeader { name: "method".to_owned() };
        let method = Method::from_bytes(request.method.as_bytes()).map_err(bad_method)?;
        let mut sending = self.http()?.request(method, request.url.clone()).headers(self.headers(request)?);
        if let Some(body) = &request.body {
            sending = sending.body(body.clone());
        }
        let mut answer = sending.send().await.map_err(unreachable)?;
        let mut body = Body::of(answer.headers(), bounds.bytes, bounds.truncate).map_err(fault)?;
        while let Some(chunk) = answer.chunk().await.map_err(unreachable)? {
            if body.take(&chunk).map_err(fault)? {
                break;
            }
        }
        let (body, truncated) = if answer.status() == 304 || request.method == "HEAD" {
            (Vec::new(), false)
        } else {
            body.finish().map_err(fault)?
        };
        let text = |(name, value): (&HeaderName, &HeaderValue)| {
            Some((name.as_str().to_owned(), value.to_str().ok()?.to_owned()))
        };
        Ok(Response {
            status: answer.status().as_u16(),
            url: request.url.clone(),
            headers: answer.headers().iter().filter_map(text).collect(),
            body,
            truncated,
            fetched_at: self.clock.unix_millis(),
        })
    }

    /// The headers of a request: who asks, what it asks for, and what proves it.
    fn headers(&self, request: &Request) -> Result<HeaderMap, FetchError> {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("gzip"));
        let given = request.headers.iter().chain(&request.credentials);
        for (name, value) in given.map(|(name, value)| (name.as_str(), value.as_str())) {
            insert(&mut headers, name, value)?;
        }
        // Nobody may make this program look like another one.
        insert(&mut headers, USER_AGENT.as_str(), &self.identity.user_agent())?;
        for (name, value) in self.identity.headers() {
            insert(&mut headers, name, value)?;
        }
        Ok(headers)
    }
}

fn insert(headers: &mut HeaderMap, name: &str, value: &str) -> Result<(), FetchError> {
    let bad = || FetchError::BadHeader { name: short(name) };
    let name = HeaderName::from_bytes(name.as_bytes()).map_err(|_| bad())?;
    let value = HeaderValue::from_str(value).map_err(|_| bad())?;
    headers.insert(name, value);
    Ok(())
}

/// The client of the library: it follows no redirect by itself.
fn http() -> Result<reqwest::Client, FetchError> {
    // Another part of the process may have chosen already; TLS works the same.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let builder = reqwest::Client::builder().redirect(redirect::Policy::none());
    let client = builder.connect_timeout(CONNECTING).referer(false).no_proxy().build();
    client.map_err(|error| FetchError::NoClient { reason: cause(&error) })
}

/// Where a response redirects to, if it does.
fn location(request: &Request, response: &Response) -> Result<Option<Url>, FetchError> {
    if !matches!(response.status, 301 | 302 | 303 | 307 | 308) {
        return Ok(None);
    }
    let Some(to) = response.header(LOCATION.as_str()) else { return Ok(None) };
    let Ok(to) = request.url.join(to) else {
        let (origin, to) = (origin(&request.url), short(to));
        return Err(FetchError::BadRedirect { origin, to, reason: "that is not an address" });
    };
    check(&request.url, &to)?;
    let reached = to.origin().ascii_serialization();
    if request.origins.as_ref().is_some_and(|origins| !origins.contains(&reached)) {
        let (origin, to) = (origin(&request.url), short(to.as_str()));
        return Err(FetchError::BadRedirect { origin, to, reason: "that is not an origin of the call" });
    }
    Ok(Some(to))
}

/// The request that follows a redirect.
fn redirected(request: Request, status: u16, to: Url) -> Result<Request, FetchError> {
    let elsewhere = to.origin() != request.url.origin();
    let reading = matches!(request.method.as_str(), "GET" | "HEAD");
    let becomes_get = status == 303 || matches!(status, 301 | 302) && request.method == "POST";
    if !reading && !becomes_get && elsewhere {
        let (origin, to) = (origin(&request.url), origin(&to));
        let reason = "a request that may change something is not sent to another origin";
        return Err(FetchError::BadRedirect { origin, to, reason });
    }
    let mut next = Request { url: to, ..request };
    if becomes_get && !reading {
        next.method = "GET".to_owned();
        next.body = None;
        next.headers.retain(|(name, _)| !name.to_ascii_lowercase().starts_with("content-"));
    }
    if elsewhere {
        next.credentials.clear();
        let secret = ["authorization", "cookie", "proxy-authorization", "x-api-key"];
        next.headers.retain(|(name, _)| !secret.contains(&name.to_ascii_lowercase().as_str()));
    }
    Ok(next)
}

/// The headers that ask whether a response is still the same.
fn validators(response: &Response) -> Vec<(String, String)> {
    // Those of another address may mean another document.
    let pairs = [("if-none-match", "etag"), ("if-modified-since", "last-modified")];
    let pairs = pairs.into_iter().filter_map(|(ask, known)| Some((ask, response.header(known)?)));
    pairs.map(|(ask, value)| (ask.to_owned(), value.to_owned())).collect()
}

/// A response that is still the same, with the headers that have changed.
fn renewed(known: &Response, news: Response) -> Response {
    let mut renewed = Response { fetched_at: news.fetched_at, ..known.clone() };
    renewed.headers.retain(|(name, _)| news.header(name).is_none() || name.starts_with("content-"));
    renewed.headers.extend(news.headers.into_iter().filter(|(name, _)| !name.starts_with("content-")));
    renewed
}

/// The innermost cause of an error; the outer ones only say that a request failed.
fn cause(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.take(16).last().map(ToString::to_string).unwrap_or_default()
}
