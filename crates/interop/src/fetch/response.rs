//! A response of a site, read to its end.

use url::Url;

/// A response of a site, read to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    /// The status.
    pub status: u16,
    /// The address it came from, after redirects.
    pub url: Url,
    /// Its headers, names in lower case. Those that are not text are left out.
    pub headers: Vec<(String, String)>,
    /// Its body, decompressed.
    pub body: Vec<u8>,
    /// Whether the body was cut off at its bound.
    pub truncated: bool,
    /// When it was fetched or last found to be the same, in milliseconds since the Unix epoch.
    pub fetched_at: u64,
}

impl Response {
    /// The value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Whether the status says that this is what was asked for.
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// The content type without its parameters, in lower case.
    pub fn content_type(&self) -> Option<String> {
        let value = self.header("content-type")?;
        Some(value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase())
    }

    /// The body as text; bytes that are not UTF-8 are replaced.
    pub fn text(&self) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(&self.body)
    }
}
