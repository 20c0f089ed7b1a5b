//! A request as a route sees it.

use std::io;

use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncReadExt};

/// The longest line and the largest body a test may send.
const LONGEST_LINE: u64 = 64 << 10;
const LARGEST_BODY: usize = 64 << 20;

/// A request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// `GET`, `POST` …
    pub method: String,
    /// The path without the query.
    pub path: String,
    /// What follows the question mark.
    pub query: String,
    /// The headers, names in lower case, in their order.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

impl Request {
    /// The value of a header, by its name in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The host the request was made to, without the port.
    pub fn host(&self) -> &str {
        let host = self.header("host").unwrap_or_default();
        host.rsplit_once(':').map_or(host, |(host, _)| host)
    }

    /// The value of a query parameter, as it stands.
    pub fn parameter(&self, name: &str) -> Option<&str> {
        self.query.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='))
    }

    /// Reads the next request of a connection; `None` when the client has no more.
    pub(crate) async fn read(stream: &mut (impl AsyncBufRead + Unpin)) -> io::Result<Option<Self>> {
        let Some(first) = read_line(stream).await? else { return Ok(None) };
        let mut words = first.split(' ');
        let method = words.next().unwrap_or_default().to_owned();
        let target = words.next().unwrap_or_default();
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let (path, query) = (path.to_owned(), query.to_owned());
        let mut headers = Vec::new();
        while let Some(line) = read_line(stream).await?.filter(|line| !line.is_empty()) {
            if let Some((name, value)) = line.split_once(':') {
                headers.push((name.trim().to_ascii_lowercase(), value.trim().to_owned()));
            }
        }
        let mut request = Self { method, path, query, headers, body: Vec::new() };
        let length = request.header("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
        if length > LARGEST_BODY {
            return Err(io::Error::other("the body is too large for a test"));
        }
        request.body.resize(length, 0);
        stream.read_exact(&mut request.body).await?;
        Ok(Some(request))
    }
}

async fn read_line(stream: &mut (impl AsyncBufRead + Unpin)) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    let read = stream.take(LONGEST_LINE).read_until(b'\n', &mut line).await?;
    let line = String::from_utf8_lossy(&line).trim_end_matches(['\r', '\n']).to_owned();
    Ok((read > 0).then_some(line))
}
