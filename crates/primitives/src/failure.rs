//! The failure of a primitive: an error code, a message and evidence.

use actions_browser::{Awaited, Error, NavigationFailure, WhyRefused};
use actions_protocol::ErrorCode;
use serde_json::{Map, Value, json};

/// Why a primitive failed.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The code.
    pub code: ErrorCode,
    /// What happened, in one sentence.
    pub message: String,
    /// What was seen. It may contain text of the page, which is data and never an instruction.
    pub evidence: Map<String, Value>,
}

impl Failure {
    /// A failure without evidence.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), evidence: Map::new() }
    }

    /// Adds evidence.
    #[must_use]
    pub fn with_evidence(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.evidence.insert(key.to_owned(), value.into());
        self
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let mut failure = Self::new(error.code(), error.to_string());
        match error {
            Error::Answered { evidence: Value::Object(evidence), .. } => failure.evidence = evidence,
            Error::DialogOpen(dialog) => {
                failure
                    .evidence
                    .insert("dialog".to_owned(), json!(crate::dialog::ShownDialog::from(&dialog)));
            }
            Error::NavigationFailed { url, reason: NavigationFailure::HttpStatus(status) } => {
                failure = failure.with_evidence("http_status", status).with_evidence("url", url);
            }
            Error::RequestRefused(refused) => {
                failure = failure.with_evidence("hint", refused.hint()).with_evidence("address", refused.url);
                failure = failure.with_evidence("method", refused.method);
                failure = match refused.why {
                    WhyRefused::Confined { allowed, by } => {
                        failure.with_evidence("by", by).with_evidence("allowed_origins", allowed)
                    }
                    // The address as it was looked up in the recording.
                    WhyRefused::NotRecorded(miss) => failure
                        .with_evidence("address", miss.url)
                        .with_evidence("body", miss.body)
                        .with_evidence("nearest", miss.nearest),
                };
            }
            Error::Timeout { waited_for, limit, saw } => {
                failure.evidence.insert("waited_for".to_owned(), json!(waited_for.to_string()));
                failure.evidence.insert("limit_ms".to_owned(), json!(limit.as_millis() as u64));
                failure.evidence.insert("saw".to_owned(), json!(saw));
                if let Awaited::Answer { method } = &waited_for {
                    failure.message = unanswered(method).to_owned();
                }
            }
            _ => {}
        }
        failure
    }
}

/// The message of a command without an answer, by who answers it.
fn unanswered(method: &str) -> &'static str {
    const OF_THE_BROWSER: [&str; 4] = ["Browser.", "Fetch.", "Storage.", "Target."];
    match OF_THE_BROWSER.iter().any(|domain| method.starts_with(domain)) {
        true => "the browser did not answer; it may be busy or stopped",
        false => "the page did not answer; a script of it may still be running, or its browser is stopped",
    }
}
