//! Why a call failed, in a form a caller can act on.

mod handed;

use actions_manifest::document::{Document, NodeId, Span};
use actions_primitives::Failure;
use actions_protocol::{ErrorCode, ErrorObject, Exit, FailureClass, StepId, Topic};
use actions_trace::{Maskable, Secrets};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// Where in a map something stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Place {
    /// The map.
    pub map: String,
    /// The JSON pointer.
    pub pointer: String,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// The text to show for it, in bytes of the map.
    #[serde(skip)]
    pub span: Span,
}

impl Place {
    /// The place of a node, shown by another one, such as its name.
    pub(crate) fn of(document: &Document, at: NodeId, shown: NodeId) -> Self {
        let span = document.node(shown).span();
        let position = document.source().position(span.start);
        Self {
            map: document.source().name().to_owned(),
            pointer: document.node(at).pointer(),
            line: position.line,
            column: position.column,
            span,
        }
    }
}

/// The step that failed.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct FailedStep {
    /// Its id.
    pub id: StepId,
    /// The primitive it called.
    pub primitive: String,
    /// Where it stands in its map.
    pub place: Place,
}

/// The class of a code. A target that another element covers has a class of its own, unless something else was in the way
/// before: a disabled button under a banner stays disabled when the banner is closed.
fn class_of(code: ErrorCode, evidence: &Map<String, Value>) -> FailureClass {
    let has = |key: &str| evidence.get(key).filter(|value| !value.is_null());
    let occluded = has("occluded_by").is_some() && has("reason").is_none_or(|reason| reason == "covered");
    match code {
        ErrorCode::TargetNotActionable if occluded => FailureClass::OverlayInterference,
        code => code.class(),
    }
}

/// Why a call failed.
///
/// Serialised, it is what one process of this program hands to another. [`CallError::to_error_object`] is the error as
/// clients of a protocol see it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(from = "handed::Handed", into = "handed::Handed")]
#[non_exhaustive]
pub struct CallError {
    /// The code.
    pub code: ErrorCode,
    /// What happened, in one sentence.
    pub message: String,
    /// The step that failed.
    pub step: Option<Box<FailedStep>>,
    /// The failure of the step, if the code above only wraps it.
    pub cause: Option<Box<Failure>>,
    /// Where in the map the cause lies, when it is not a step.
    pub place: Option<Box<Place>>,
    /// What was seen.
    pub evidence: Map<String, Value>,
    /// Whether a mutating primitive had already run.
    pub mutated: bool,
}

impl CallError {
    /// An error outside any step.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            step: None,
            cause: None,
            place: None,
            evidence: Map::new(),
            mutated: false,
        }
    }

    /// Adds something that was seen.
    #[must_use]
    pub fn with_evidence(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.evidence.insert(key.to_owned(), value.into());
        self
    }

    /// Says where in the map the cause lies.
    #[must_use]
    pub(crate) fn at(mut self, place: &Place) -> Self {
        self.place.get_or_insert_with(|| Box::new(place.clone()));
        self
    }

    /// Where in the map the failure belongs: its step, or else the part of the tool that refused.
    pub fn place(&self) -> Option<&Place> {
        self.step.as_ref().map(|step| &step.place).or(self.place.as_deref())
    }

    /// What a caller can safely do next.
    pub fn safe_recovery(&self) -> &'static str {
        let code = self.framed().map_or(self.code, |cause| cause.code);
        // What a policy denies it can also allow, so the recovery of the class applies.
        let denied = self.evidence.contains_key("policy");
        let own = code.recovery().filter(|_| !self.mutated && !denied);
        own.unwrap_or_else(|| self.class().safe_recovery(self.mutated))
    }

    /// The class of the failure.
    pub fn class(&self) -> FailureClass {
        match self.framed() {
            Some(cause) => class_of(cause.code, &cause.evidence),
            None => class_of(self.code, &self.evidence),
        }
    }

    /// The cause, if the error only wraps it: its class is that of the cause.
    fn framed(&self) -> Option<&Failure> {
        self.cause.as_deref().filter(|_| self.code.topic() == Topic::Wrapper)
    }

    /// Whether calling again may succeed and cannot do anything twice.
    pub fn retryable(&self) -> bool {
        self.recoverable() && !self.mutated
    }

    /// Whether a caller may fix the cause and try again.
    fn recoverable(&self) -> bool {
        self.framed().map_or(self.code, |cause| cause.code).recoverable()
    }

    /// The exit code of a command that ends with this error.
    pub fn exit(&self) -> Exit {
        self.code.exit()
    }

    /// The error as it stands on the wire.
    pub fn to_error_object(&self) -> ErrorObject {
        let mut object = ErrorObject::new(self.code, self.message.clone());
        for (key, value) in &self.evidence {
            object = object.with_evidence(key.clone(), value.clone());
        }
        object.recoverable = Some(self.recoverable());
        let class = self.class();
        let extra = &mut object.extra;
        if let Some(step) = &self.step {
            extra.insert("step_id".to_owned(), json!(step.id));
            extra.insert("primitive".to_owned(), json!(step.primitive));
        }
        if let Some(place) = self.place() {
            extra.insert("place".to_owned(), json!(place));
        }
        if let Some(cause) = &self.cause {
            let cause = json!({ "code": cause.code, "message": cause.message, "evidence": cause.evidence });
            extra.insert("cause".to_owned(), cause);
        }
        extra.insert("failure_class".to_owned(), json!(class));
        extra.insert("retryable".to_owned(), json!(self.retryable()));
        extra.insert("safe_recovery".to_owned(), json!(self.safe_recovery()));
        extra.insert("mutated".to_owned(), json!(self.mutated));
        object
    }
}

impl std::fmt::Display for CallError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for CallError {}

impl From<Failure> for CallError {
    fn from(failure: Failure) -> Self {
        Self { evidence: failure.evidence, ..Self::new(failure.code, failure.message) }
    }
}

impl From<&CallError> for ErrorObject {
    fn from(error: &CallError) -> Self {
        error.to_error_object()
    }
}

impl Maskable for CallError {
    fn masked(&self, secrets: &Secrets) -> Self {
        let cause = self.cause.as_ref().map(|cause| {
            Box::new(Failure {
                message: secrets.mask(cause.message.as_str()).into_inner(),
                evidence: secrets.mask(&cause.evidence).into_inner(),
                ..(**cause).clone()
            })
        });
        Self {
            message: secrets.mask(self.message.as_str()).into_inner(),
            evidence: secrets.mask(&self.evidence).into_inner(),
            cause,
            ..self.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_covered_target_is_a_matter_of_an_overlay() {
        let class = |reason: Value, by: Value| {
            let error = CallError::new(ErrorCode::TargetNotActionable, "no").with_evidence("reason", reason);
            error.with_evidence("occluded_by", by).class()
        };
        let banner = || json!({ "target_label": "banner" });
        assert_eq!(class(json!("covered"), banner()), FailureClass::OverlayInterference);
        assert_eq!(class(Value::Null, banner()), FailureClass::OverlayInterference);
        for reason in ["disabled", "fieldset_disabled", "inert", "pointer_events_none"] {
            assert_eq!(class(json!(reason), banner()), FailureClass::ControlNotReady, "{reason}");
        }
        assert_eq!(class(json!("covered"), Value::Null), FailureClass::ControlNotReady);
    }
}
