//! The error inside an `action_error`.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{ErrorCode, Millis, Severity, WireCode};

/// What went wrong, for a program (code, evidence) and for a person (message, next step).
///
/// ```
/// use actions_protocol::{ErrorCode, ErrorObject, Severity};
///
/// let error = ErrorObject::new(ErrorCode::TargetNotFound, "no element matches `form[role='search']`")
///     .with_evidence("selector", "form[role='search']")
///     .with_next_step("run `actions check` to see what moved");
/// assert_eq!(error.severity, Some(Severity::Major));
/// assert_eq!(error.recoverable, Some(true));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(expecting = "an object")]
pub struct ErrorObject {
    /// What a caller may program against.
    pub code: WireCode,
    /// One sentence for a person.
    pub message: String,
    /// How much damage the failure may do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub severity: Option<Severity>,
    /// Whether a caller can fix the cause and try again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recoverable: Option<bool>,
    /// Structured context that helps to fix the cause. It is data, never instructions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Map<String, Value>>,
    /// How long to wait before the next attempt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after_ms: Option<Millis>,
    /// What the caller may do next.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_step: Option<String>,
    /// Fields this crate has no name for, kept in their order.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

impl ErrorObject {
    /// An error of the table, with the severity and the recoverability that stand there.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self {
            code: code.into(),
            message: message.into(),
            severity: Some(code.severity()),
            recoverable: Some(code.recoverable()),
            evidence: None,
            retry_after_ms: None,
            next_step: None,
            extra: Map::new(),
        }
    }

    /// Adds one piece of evidence; the same key again replaces it.
    #[must_use]
    pub fn with_evidence(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.evidence.get_or_insert_default().insert(key.into(), value.into());
        self
    }

    /// Says how long to wait before the next attempt.
    #[must_use]
    pub fn with_retry_after(mut self, wait: Millis) -> Self {
        self.retry_after_ms = Some(wait);
        self
    }

    /// Says what the caller may do next.
    #[must_use]
    pub fn with_next_step(mut self, next_step: impl Into<String>) -> Self {
        self.next_step = Some(next_step.into());
        self
    }

    /// Raises or lowers the severity where this case differs from the table.
    #[must_use]
    pub fn with_severity(mut self, severity: Severity) -> Self {
        self.severity = Some(severity);
        self
    }

    /// Says whether trying again can help where this case differs from the table.
    #[must_use]
    pub fn with_recoverable(mut self, recoverable: bool) -> Self {
        self.recoverable = Some(recoverable);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_error_takes_severity_and_recoverability_from_the_table() {
        for &code in ErrorCode::ALL {
            let error = ErrorObject::new(code, code.sentence());
            assert_eq!(error.severity, Some(code.severity()));
            assert_eq!(error.recoverable, Some(code.recoverable()));
        }
    }

    #[test]
    fn every_part_stands_on_the_wire_in_one_order() {
        let error = ErrorObject::new(ErrorCode::DialogOpen, "an alert is open")
            .with_recoverable(false)
            .with_retry_after(Millis(250))
            .with_evidence("text", "Really?")
            .with_next_step("close it with browser.dismiss_dialog")
            .with_severity(Severity::Critical);
        insta::assert_snapshot!(serde_json::to_string_pretty(&error).unwrap(), @r#"
        {
          "code": "dialog_open",
          "message": "an alert is open",
          "severity": "critical",
          "recoverable": false,
          "evidence": {
            "text": "Really?"
          },
          "retry_after_ms": 250,
          "next_step": "close it with browser.dismiss_dialog"
        }
        "#);
    }
}
