//! What came of a case, in the form of what is expected of it.

use actions_engine::{CallError, Outcome, StateDiff, StepSummary};
use serde_json::{Map, Value, json};

use super::difference::{Difference, difference};
use super::model::{DiffWanted, Expected};
use crate::status::Status;

/// What came of a case.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// The value of the tool, or the state.
    pub value: Option<Value>,
    /// The error, as clients see it.
    pub error: Option<Value>,
    /// How the check ended.
    pub status: Option<Status>,
    /// What the tool changed in the state of a projection.
    pub state_diff: Option<Value>,
    /// How each step ended.
    pub events: Option<Value>,
}

impl Found {
    /// What came of a call.
    pub(super) fn of_call(outcome: Outcome) -> Self {
        let events = Some(Value::Object(outcome.steps.iter().map(event).collect()));
        Self { events, ..Self::of(outcome.result) }
    }

    /// What came of a reading.
    pub(super) fn of(result: Result<Value, CallError>) -> Self {
        match result {
            Ok(value) => Self { value: Some(value), ..Self::default() },
            Err(error) => Self { error: Some(described(&error)), ..Self::default() },
        }
    }

    pub(super) fn with_diff(self, diff: Result<StateDiff, CallError>) -> Self {
        let state_diff = match diff {
            Ok(diff) => json!({ "projection": diff.observation.projection, "patch": diff.diff.patches }),
            Err(error) => described(&error),
        };
        Self { state_diff: Some(state_diff), ..self }
    }

    /// Where this is not what is expected. An error is a difference even where nothing is said of errors.
    pub fn differs_from(&self, expected: &Expected) -> Vec<Difference> {
        let mut wanted = Map::new();
        let mut found = Map::new();
        let mut compare = |key: &str, expected: Value, seen: Option<Value>| {
            wanted.insert(key.to_owned(), expected);
            found.extend(seen.map(|seen| (key.to_owned(), seen)));
        };
        if let Some(value) = &expected.value {
            compare("value", value.clone(), self.value.clone());
        }
        if let Some(error) = &expected.error {
            let error = error.as_str().map_or_else(|| error.clone(), |code| json!({ "code": code }));
            let seen = self.error.as_ref().map(|seen| only(seen, &error));
            compare("error", error, seen);
        }
        if let Some(status) = expected.status {
            compare("status", json!(status), self.status.map(|status| json!(status)));
        }
        if let Some(diff) = &expected.state_diff {
            compare("state_diff", json!(diff), self.state_diff.clone());
        }
        if let Some(events) = &expected.events {
            compare("events", events.clone(), self.events.clone());
        }
        if expected.error.is_none() {
            found.extend(self.error.clone().map(|error| ("error".to_owned(), error)));
        }
        difference(&Value::Object(wanted), &Value::Object(found), &expected.ignore)
    }

    /// All of this as an expectation.
    pub fn as_expected(&self) -> Expected {
        let diff = self.state_diff.as_ref();
        let projection = diff.and_then(|diff| diff.get("projection")?.as_str());
        Expected {
            value: self.value.clone(),
            error: self.error.clone(),
            status: self.status,
            state_diff: projection.map(|projection| DiffWanted {
                projection: projection.to_owned(),
                patch: diff.and_then(|diff| diff.get("patch").cloned()),
            }),
            events: self.events.clone(),
            ignore: Vec::new(),
        }
    }

    /// What is expected from now on: what came of it, in the parts that were expected before.
    pub fn accepted(&self, before: &Expected) -> Expected {
        let error = self.error.as_ref().map(|error| {
            let kept = before.error.as_ref().filter(|kept| kept.is_object());
            kept.map_or_else(|| short(error), |kept| only(error, kept))
        });
        Expected {
            value: self.value.clone(),
            error,
            status: self.status,
            state_diff: before.state_diff.as_ref().map(|wanted| DiffWanted {
                projection: wanted.projection.clone(),
                patch: self.state_diff.as_ref().and_then(|diff| diff.get("patch").cloned()),
            }),
            events: before.events.as_ref().and_then(|_| self.events.clone()),
            ignore: before.ignore.clone(),
        }
    }
}

/// A step as a case names it: its id, and how it ended.
fn event(summary: &StepSummary) -> (String, Value) {
    let ended = match summary {
        StepSummary { skipped: true, .. } => "skipped",
        StepSummary { ok: true, .. } => "ok",
        _ => "failed",
    };
    (summary.id.to_string(), json!(ended))
}

fn described(error: &CallError) -> Value {
    let mut described = json!(error.to_error_object());
    if let Some(step) = &error.step {
        described["step"] = json!(step.id);
    }
    described
}

/// The code of an error, and its step.
fn short(error: &Value) -> Value {
    let keys = ["code", "step"].iter().filter_map(|key| Some(((*key).to_owned(), error.get(*key)?.clone())));
    Value::Object(keys.collect())
}

/// The fields of one object that another one has.
fn only(seen: &Value, wanted: &Value) -> Value {
    match (seen, wanted) {
        (Value::Object(seen), Value::Object(wanted)) => {
            let kept =
                wanted.iter().filter_map(|(key, wanted)| Some((key.clone(), only(seen.get(key)?, wanted))));
            Value::Object(kept.collect())
        }
        _ => seen.clone(),
    }
}
