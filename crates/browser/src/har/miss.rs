//! A request that a recording cannot answer.

use super::body::digest;
use super::request::AskedFor;

/// A request that a recording cannot answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayMiss {
    /// The method.
    pub method: String,
    /// The URL without its fragment.
    pub url: String,
    /// The length and hash of the body; `None` if there is none.
    pub body: Option<String>,
    /// The most similar recorded request, and how it differs.
    pub nearest: Option<String>,
    /// Why the recording has no answer.
    pub reason: &'static str,
}

impl ReplayMiss {
    pub(super) fn new(asked: &AskedFor, reason: &'static str) -> Self {
        Self {
            method: asked.method.clone(),
            url: asked.url.clone(),
            body: (!asked.body.is_empty()).then(|| digest(&asked.body)),
            nearest: None,
            reason,
        }
    }
}

impl std::fmt::Display for ReplayMiss {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} for {} {}", self.reason, self.method, self.url)?;
        if let Some(body) = &self.body {
            write!(f, " ({body})")?;
        }
        match &self.nearest {
            Some(nearest) => write!(f, "; nearest: {nearest}"),
            None => Ok(()),
        }
    }
}
