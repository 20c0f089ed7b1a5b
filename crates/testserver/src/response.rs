//! A response that a test programs.

use std::path::Path;
use std::time::Duration;

use crate::content_type::content_type;

/// A response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    /// The status, such as 200.
    pub status: u16,
    /// The headers; length and connection are added.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
    pub(crate) ending: Ending,
    pub(crate) delay: Duration,
}

/// How a response ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// Normally.
    Complete,
    /// Never: the connection stays open and announces more bytes than it sends.
    Hangs,
    /// Never: the connection stays open and announces no length.
    Streams,
    /// The server closes the connection before the first byte.
    Broken,
}

impl Response {
    /// A response with a status and nothing else.
    pub fn status(status: u16) -> Self {
        Self {
            status,
            headers: Vec::new(),
            body: Vec::new(),
            ending: Ending::Complete,
            delay: Duration::ZERO,
        }
    }

    /// A page.
    pub fn html(text: impl Into<String>) -> Self {
        Self::status(200).with_body("text/html; charset=utf-8", text.into())
    }

    /// JSON text.
    pub fn json(text: impl Into<String>) -> Self {
        Self::status(200).with_body("application/json", text.into())
    }

    /// A redirection.
    pub fn redirect(to: impl Into<String>) -> Self {
        Self::status(302).with_header("location", to)
    }

    /// A file to be saved under a name.
    pub fn download(name: &str, body: impl Into<Vec<u8>>) -> Self {
        Self::status(200)
            .with_body("application/octet-stream", body)
            .with_header("content-disposition", format!("attachment; filename=\"{name}\""))
    }

    /// A response that never comes.
    pub fn hang() -> Self {
        Self { ending: Ending::Hangs, ..Self::status(200) }
    }

    /// A connection that is closed without a response.
    pub fn broken() -> Self {
        Self { ending: Ending::Broken, ..Self::status(200) }
    }

    /// A file of the disk; 404 when there is none.
    pub(crate) fn file(path: &Path) -> Self {
        match std::fs::read(path) {
            Ok(body) => Self::status(200).with_body(content_type(path), body),
            Err(_) => Self::not_found(),
        }
    }

    pub(crate) fn not_found() -> Self {
        Self::status(404).with_body("text/plain", "not found")
    }

    /// Adds a header.
    #[must_use]
    pub fn with_header(mut self, name: &str, value: impl Into<String>) -> Self {
        self.headers.push((name.to_owned(), value.into()));
        self
    }

    /// Sets the body and its type.
    #[must_use]
    pub fn with_body(mut self, content_type: &str, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        self.with_header("content-type", content_type)
    }

    /// Sets the status.
    #[must_use]
    pub fn with_status(mut self, status: u16) -> Self {
        self.status = status;
        self
    }

    /// Delays the first byte.
    #[must_use]
    pub fn after(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }

    /// Sends the body but never ends it: the client waits for more.
    #[must_use]
    pub fn never_ending(mut self) -> Self {
        self.ending = Ending::Hangs;
        self
    }

    /// Sends the body without announcing its length, and never ends it.
    #[must_use]
    pub fn streaming(mut self) -> Self {
        self.ending = Ending::Streams;
        self
    }

    pub(crate) fn head(&self) -> String {
        let mut head = format!("HTTP/1.1 {} -\r\n", self.status);
        for (name, value) in &self.headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        let more = if self.ending == Ending::Hangs { 1 } else { 0 };
        if !matches!(self.status, 204 | 304) && self.ending != Ending::Streams {
            head.push_str(&format!("content-length: {}\r\n", self.body.len() + more));
        }
        if !self.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("cache-control")) {
            head.push_str("cache-control: no-store\r\n");
        }
        head.push_str("\r\n");
        head
    }
}
