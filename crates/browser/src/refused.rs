//! Requests that did not get out.

use actions_protocol::ErrorCode;

use crate::ReplayMiss;

/// A request that was stopped before it left the machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The method.
    pub method: String,
    /// The address.
    pub url: String,
    /// What it was for, in the browser's words: `Document`, `Script`, `Fetch` …
    pub resource: String,
    /// Whether a main frame wanted to go there; then the page stays where it was, or shows nothing.
    pub is_navigation: bool,
    /// Why it was stopped.
    pub why: WhyRefused,
}

/// Why a request was stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WhyRefused {
    /// It led out of the origins the page is confined to.
    Confined {
        /// The allowed origins.
        allowed: Vec<String>,
        /// What tried.
        by: String,
    },
    /// The network is a recording, and the recording does not hold it.
    NotRecorded(ReplayMiss),
}

impl Refused {
    /// The code a caller may program against.
    pub fn code(&self) -> ErrorCode {
        match self.why {
            WhyRefused::Confined { .. } => ErrorCode::UnsafeState,
            WhyRefused::NotRecorded(_) => ErrorCode::ReplayMiss,
        }
    }

    /// What a person can do about it.
    pub fn hint(&self) -> &'static str {
        match self.why {
            WhyRefused::Confined { .. } => "if it belongs to the site, allow its origin with --allow-origin",
            WhyRefused::NotRecorded(_) => "record the call again with `actions record`",
        }
    }
}

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.why {
            WhyRefused::Confined { allowed, by } => {
                let what = if self.is_navigation { "leave the surface" } else { "ask elsewhere" };
                write!(f, "{by} would {what} for {}; allowed: {}", self.url, allowed.join(", "))
            }
            WhyRefused::NotRecorded(miss) => write!(f, "{miss}"),
        }
    }
}
