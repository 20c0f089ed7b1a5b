//! The port through which requests are sent without a page.

use std::collections::BTreeSet;
use std::time::Duration;

use actions_browser::Deadline;
use async_trait::async_trait;

use crate::Failure;

/// A request to a site, complete but for the credentials.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct HttpCall {
    /// The method.
    pub method: String,
    /// The address.
    pub url: String,
    /// The headers, without credentials.
    pub headers: Vec<(String, String)>,
    /// The content type and the bytes of the body.
    pub body: Option<(String, Vec<u8>)>,
    /// Which stored credentials are sent; none if absent.
    pub auth: Option<HttpAuth>,
    /// The origins that the address and every redirect must be of; any if absent.
    pub origins: Option<BTreeSet<String>>,
    /// The largest body of the response, in bytes.
    pub max_bytes: usize,
}

impl HttpCall {
    /// A request without headers, body and credentials, to one of these origins.
    pub fn new(method: impl Into<String>, url: impl Into<String>, origins: Option<BTreeSet<String>>) -> Self {
        Self {
            method: method.into(),
            url: url.into(),
            headers: Vec::new(),
            body: None,
            auth: None,
            origins,
            max_bytes: 2_000_000,
        }
    }
}

/// Which stored credentials a request carries, and how.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HttpAuth {
    /// The system whose credentials for the origin are sent.
    pub system: String,
    /// How they are sent; as they were stored if absent.
    pub scheme: Option<String>,
    /// The header of an API key.
    pub header: Option<String>,
    /// Whether the request is not sent without them.
    pub required: bool,
    /// Where expired credentials are renewed.
    pub refresh: Option<String>,
}

/// The response of a site.
#[derive(Clone, Debug)]
pub struct HttpReply {
    /// The status.
    pub status: u16,
    /// The address that answered, after redirects.
    pub url: String,
    /// The headers, with lower-case names.
    pub headers: Vec<(String, String)>,
    /// The body. Credentials that were sent are taken out of it.
    pub body: Vec<u8>,
    /// Whether credentials were sent.
    pub authenticated: bool,
}

impl HttpReply {
    /// The value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// Sends requests to sites: keeps to the origins of a call, adds stored credentials, follows redirects.
#[async_trait]
pub trait HttpCaller: Send + Sync {
    /// Sends a request and returns the whole response, whatever its status. Credentials are not sent to another origin
    /// than the first.
    async fn send(&self, call: HttpCall, deadline: Deadline) -> Result<HttpReply, Failure>;

    /// Renews the credentials of an origin at an address of the same origin. Whether that worked.
    async fn refresh(
        &self,
        auth: &HttpAuth,
        url: &str,
        origins: Option<BTreeSet<String>>,
        deadline: Deadline,
    ) -> Result<bool, Failure>;

    /// A random key by which a site recognises a repeated request.
    fn idempotency_key(&self) -> Result<String, Failure>;

    /// How long the site wants no further request to this address; zero if it does not mind.
    fn blocked_for(&self, url: &str) -> Duration;
}
