//! What a page reports about itself: console messages, uncaught exceptions, failed requests.

/// The severity of a console message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ConsoleLevel {
    /// `console.debug`, and verbose messages of the browser.
    Debug,
    /// `console.log`, `console.info` and the like.
    Info,
    /// `console.warn`, and warnings of the browser such as deprecations.
    Warning,
    /// `console.error`, failed assertions, and errors of the browser such as violations of a content security policy.
    Error,
}

impl ConsoleLevel {
    /// The level as a word.
    pub fn as_str(self) -> &'static str {
        match self {
            ConsoleLevel::Debug => "debug",
            ConsoleLevel::Info => "info",
            ConsoleLevel::Warning => "warning",
            ConsoleLevel::Error => "error",
        }
    }
}

/// A message that a page or the browser wrote to the console. Its text is the page's: treat it as data.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ConsoleMessage {
    /// The severity.
    pub level: ConsoleLevel,
    /// The text, cut to a bounded length.
    pub text: String,
    /// The script or document that wrote it, if known.
    pub url: Option<String>,
    /// The line there, counted from 1.
    pub line: Option<u32>,
}

impl ConsoleMessage {
    /// A message of unknown place.
    pub fn new(level: ConsoleLevel, text: impl Into<String>) -> Self {
        Self { level, text: text.into(), url: None, line: None }
    }

    /// Sets the place where it was written.
    #[must_use]
    pub fn at(mut self, url: impl Into<String>, line: u32) -> Self {
        (self.url, self.line) = (Some(url.into()), Some(line));
        self
    }
}

/// An exception that no handler of the page caught. Its text is the page's: treat it as data.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UncaughtException {
    /// The message and the stack, cut to a bounded length.
    pub text: String,
    /// The script that threw it, if known.
    pub url: Option<String>,
    /// The line there, counted from 1.
    pub line: Option<u32>,
}

impl UncaughtException {
    /// An exception of unknown place.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), url: None, line: None }
    }

    /// Sets the place where it was thrown.
    #[must_use]
    pub fn at(mut self, url: impl Into<String>, line: u32) -> Self {
        (self.url, self.line) = (Some(url.into()), Some(line));
        self
    }
}

/// A request of a page that got no response, or an HTTP error as response.
///
/// Requests that the page or a navigation cancelled are not among them. Requests that were stopped by confinement or
/// by a replay are reported by [`Requests::take_refused`](super::Requests::take_refused).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FailedRequest {
    /// The method.
    pub method: String,
    /// The address, cut to a bounded length.
    pub url: String,
    /// What it was for, in the browser's words: `Document`, `Script`, `Fetch` …
    pub resource: String,
    /// How it failed.
    pub failure: RequestFailure,
}

impl FailedRequest {
    /// A request that failed.
    pub fn new(method: &str, url: &str, resource: &str, failure: RequestFailure) -> Self {
        Self { method: method.to_owned(), url: url.to_owned(), resource: resource.to_owned(), failure }
    }
}

/// How a request failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RequestFailure {
    /// There was no response. The text is the browser's, such as `net::ERR_CONNECTION_REFUSED`.
    Network(String),
    /// The status of the response, 400 or more.
    Status(u16),
}

impl std::fmt::Display for FailedRequest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { method, url, failure, .. } = self;
        match failure {
            RequestFailure::Network(text) => write!(f, "{method} {url} failed: {text}"),
            RequestFailure::Status(status) => write!(f, "{method} {url} was answered with {status}"),
        }
    }
}
