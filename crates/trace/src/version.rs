//! The version of the trace format.

use serde::{Deserialize, Serialize};

/// The name of the format, in `trace.json` and in the first line of `events.ndjson`.
pub(crate) const FORMAT: &str = "actions.json";

/// The version of a trace. A reader of one major version reads every minor version of it: a minor version only adds
/// kinds of events and fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Version {
    /// Changes when a reader of the version before would misread the trace.
    #[serde(rename = "version")]
    pub major: u32,
    /// Changes when something is added.
    #[serde(rename = "minor", default)]
    pub minor: u32,
}

impl Version {
    /// The version that [`TraceRecorder`](crate::TraceRecorder) writes. 1.1 added `call_id` to every event,
    /// 1.2 the events `console`, `exception`, `request_failed` and `reports_dropped`.
    pub const CURRENT: Self = Self { major: 1, minor: 2 };
}

impl std::fmt::Display for Version {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

/// The first line of `events.ndjson`.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Header {
    pub(crate) trace: String,
    #[serde(flatten)]
    pub(crate) version: Version,
}

impl Header {
    pub(crate) fn current() -> Self {
        Self { trace: FORMAT.to_owned(), version: Version::CURRENT }
    }
}
