//! The key by which a recording is searched for a request.

use super::body::comparable;
use super::conceal::is_met;
use crate::origin_of;

/// The key of a request: its method, its URL without fragment, and its body.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct AskedFor {
    pub(crate) method: String,
    pub(crate) url: String,
    pub(crate) body: Vec<u8>,
}

impl AskedFor {
    pub(crate) fn new(method: &str, url: &str, body: &[u8], content_type: Option<&str>) -> Self {
        Self {
            method: method.to_ascii_uppercase(),
            url: without_fragment(url).to_owned(),
            body: comparable(body, content_type).into_owned(),
        }
    }

    /// Whether a request matches this recorded one, in which each mask matches anything.
    pub(super) fn is_met_by(&self, asked: &AskedFor) -> bool {
        // A URL that is masked as a whole would match any URL.
        self.method == asked.method
            && origin_of(&self.url).is_some()
            && is_met(self.url.as_bytes(), asked.url.as_bytes())
            && is_met(&self.body, &asked.body)
    }

    /// Whether the method is safe, so that the last response may be repeated.
    pub(super) fn is_safe(&self) -> bool {
        matches!(self.method.as_str(), "GET" | "HEAD" | "OPTIONS")
    }

    /// The URL without its query.
    pub(super) fn path(&self) -> &str {
        self.url.split('?').next().unwrap_or_default()
    }
}

fn without_fragment(url: &str) -> &str {
    url.split('#').next().unwrap_or_default()
}
