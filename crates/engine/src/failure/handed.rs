//! The error of a call as one process hands it to another: unlike the error object of the wire, nothing of it is lost.

use actions_manifest::document::Span;
use actions_primitives::Failure;
use actions_protocol::{ErrorCode, StepId};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{CallError, FailedStep, Place};

#[derive(Serialize, Deserialize)]
pub(super) struct Handed {
    code: ErrorCode,
    message: String,
    step: Option<HandedStep>,
    cause: Option<HandedCause>,
    place: Option<HandedPlace>,
    evidence: Map<String, Value>,
    mutated: bool,
}

#[derive(Serialize, Deserialize)]
struct HandedStep {
    id: StepId,
    primitive: String,
    place: HandedPlace,
}

#[derive(Serialize, Deserialize)]
struct HandedCause {
    code: ErrorCode,
    message: String,
    evidence: Map<String, Value>,
}

#[derive(Serialize, Deserialize)]
struct HandedPlace {
    map: String,
    pointer: String,
    line: usize,
    column: usize,
    start: usize,
    end: usize,
}

impl From<Place> for HandedPlace {
    fn from(place: Place) -> Self {
        let Place { map, pointer, line, column, span: Span { start, end } } = place;
        Self { map, pointer, line, column, start, end }
    }
}

impl From<HandedPlace> for Place {
    fn from(place: HandedPlace) -> Self {
        let HandedPlace { map, pointer, line, column, start, end } = place;
        Self { map, pointer, line, column, span: Span { start, end } }
    }
}

impl From<CallError> for Handed {
    fn from(error: CallError) -> Self {
        let CallError { code, message, step, cause, place, evidence, mutated } = error;
        Self {
            code,
            message,
            step: step.map(|step| HandedStep {
                id: step.id,
                primitive: step.primitive,
                place: step.place.into(),
            }),
            cause: cause.map(|cause| HandedCause {
                code: cause.code,
                message: cause.message,
                evidence: cause.evidence,
            }),
            place: place.map(|place| (*place).into()),
            evidence,
            mutated,
        }
    }
}

impl From<Handed> for CallError {
    fn from(handed: Handed) -> Self {
        let Handed { code, message, step, cause, place, evidence, mutated } = handed;
        Self {
            code,
            message,
            step: step.map(|step| {
                Box::new(FailedStep { id: step.id, primitive: step.primitive, place: step.place.into() })
            }),
            cause: cause.map(|cause| {
                Box::new(Failure { code: cause.code, message: cause.message, evidence: cause.evidence })
            }),
            place: place.map(|place| Box::new(place.into())),
            evidence,
            mutated,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_error_that_is_handed_over_is_the_same_error() {
        let place = Place {
            map: "actions.json".to_owned(),
            pointer: "/tools/0".to_owned(),
            line: 3,
            column: 5,
            span: Span { start: 40, end: 52 },
        };
        let step =
            FailedStep { id: StepId::parse("open").unwrap(), primitive: "pointer.click".to_owned(), place };
        let mut error =
            CallError::new(ErrorCode::WorkflowStepFailed, "it failed").with_evidence("url", "https://a/");
        error.place = Some(Box::new(step.place.clone()));
        error.step = Some(Box::new(step));
        error.cause = Some(Box::new(
            Failure::new(ErrorCode::TargetNotFound, "nothing").with_evidence("near", json!([1])),
        ));
        error.mutated = true;
        let text = serde_json::to_string(&error).unwrap();
        let again: CallError = serde_json::from_str(&text).unwrap();
        assert_eq!(format!("{again:?}"), format!("{error:?}"));
    }
}
