//! A request to a site, and its bounds.

use std::collections::BTreeSet;
use std::time::Duration;

use url::Url;

/// What a request may use up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The time for everything: connecting, redirects and the last byte of the body.
    pub time: Duration,
    /// The bytes of the body, decompressed.
    pub bytes: usize,
    /// How many redirects are followed.
    pub redirects: usize,
    /// Whether a body that is too large is cut off instead of refused.
    pub truncate: bool,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { time: Duration::from_secs(10), bytes: 1 << 20, redirects: 5, truncate: false }
    }
}

/// A request to a site.
///
/// ```
/// use actions_interop::fetch::Request;
///
/// let url = "https://example.com/api/books".parse().unwrap();
/// let request = Request::new("POST", url).header("content-type", "application/json").body("{}");
/// assert_eq!(request.method, "POST");
/// ```
#[derive(Clone, Debug)]
pub struct Request {
    /// The method, such as `GET`.
    pub method: String,
    /// The address.
    pub url: Url,
    /// Headers, beside those of the identity.
    pub headers: Vec<(String, String)>,
    /// Headers that prove who asks. A redirect to another origin drops them.
    pub credentials: Vec<(String, String)>,
    /// The body.
    pub body: Option<Vec<u8>>,
    /// What it may use up.
    pub bounds: Bounds,
    /// The origins that redirects may lead to; any if absent.
    pub origins: Option<BTreeSet<String>>,
}

impl Request {
    /// A request without headers of its own and without a body.
    pub fn new(method: impl Into<String>, url: Url) -> Self {
        let (headers, credentials) = (Vec::new(), Vec::new());
        Self {
            method: method.into(),
            url,
            headers,
            credentials,
            body: None,
            bounds: Bounds::default(),
            origins: None,
        }
    }

    /// A `GET`.
    pub fn get(url: Url) -> Self {
        Self::new("GET", url)
    }

    /// Adds a header.
    #[must_use]
    pub fn header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    /// Adds a header that proves who asks.
    #[must_use]
    pub fn credential(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.credentials.push((name.into(), value.into()));
        self
    }

    /// Sets the body.
    #[must_use]
    pub fn body(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = Some(body.into());
        self
    }

    /// Sets what it may use up.
    #[must_use]
    pub fn bounds(mut self, bounds: Bounds) -> Self {
        self.bounds = bounds;
        self
    }
}
