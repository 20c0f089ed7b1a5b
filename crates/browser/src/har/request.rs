//! A request as it is looked up.

use super::body::comparable;
use super::conceal::is_met;
use crate::origin_of;

/// A request as it is looked up: method, address without its fragment, and body.
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

    /// Whether this recorded request is the one that is made, whatever stands where secrets were concealed in it.
    pub(super) fn is_met_by(&self, asked: &AskedFor) -> bool {
        // An address that is a secret as a whole could be any.
        self.method == asked.method
            && origin_of(&self.url).is_some()
            && is_met(self.url.as_bytes(), asked.url.as_bytes())
            && is_met(&self.body, &asked.body)
    }

    /// Whether asking again changes nothing, so that the last answer may be given again.
    pub(super) fn is_safe(&self) -> bool {
        matches!(self.method.as_str(), "GET" | "HEAD" | "OPTIONS")
    }

    /// The address without its query.
    pub(super) fn path(&self) -> &str {
        self.url.split('?').next().unwrap_or_default()
    }
}

fn without_fragment(url: &str) -> &str {
    url.split('#').next().unwrap_or_default()
}
