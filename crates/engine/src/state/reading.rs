//! What was read of a page through a projection.

use actions_primitives::Marker;
use actions_protocol::Timestamp;
use serde::Serialize;
use serde_json::{Map, Value};

/// What an author wants to know about a reading.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Diagnostics {
    /// The required fields that were not there, such as `lists.0.name`.
    pub missing_required_fields: Vec<String>,
    /// How many elements every selector matched, by extractor and field.
    pub selector_counts: Map<String, Value>,
    /// Whether the state fits its schema; null when the projection declares none.
    pub schema_valid: Option<bool>,
    /// The size of the whole state as compact JSON.
    pub bytes: usize,
}

/// What every answer about a state begins with.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Observation {
    /// The projection.
    pub projection: String,
    /// The page.
    pub url: String,
    /// When it was read.
    pub observed_at: Timestamp,
    /// The hash of the whole state; docs/guide/state.md says how it is made.
    pub state_hash: String,
}

/// A whole state.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct StateReading {
    /// Where and when.
    #[serde(flatten)]
    pub observation: Observation,
    /// The state.
    pub state: Value,
    /// The places in the page that the projection names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub markers: Option<Vec<Marker>>,
    /// What an author wants to know about it.
    pub diagnostics: Diagnostics,
}

/// A summary of a state.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SummaryReading {
    /// Where and when.
    #[serde(flatten)]
    pub observation: Observation,
    /// The summary.
    pub summary_name: String,
    /// Its value.
    pub summary: Value,
    /// Its size as compact JSON.
    pub summary_bytes: usize,
    /// What an author wants to know about the state it sums up.
    pub diagnostics: Diagnostics,
}

/// A state as it was read. The caller gets all of it, a summary or a difference.
#[derive(Debug)]
pub(crate) struct Reading {
    pub(crate) observation: Observation,
    pub(super) markers: Option<Vec<Marker>>,
    pub(super) diagnostics: Diagnostics,
    /// What expressions over the state see: `state`, `records`, `url`, `title`, `projection`.
    scope: Value,
}

impl Reading {
    pub(super) fn new(scope: Value, observation: Observation, diagnostics: Diagnostics) -> Self {
        Self { observation, markers: None, diagnostics, scope }
    }

    /// The whole state.
    pub(crate) fn state(&self) -> &Value {
        &self.scope["state"]
    }

    /// The whole state, with everything else let go.
    pub(crate) fn into_state(mut self) -> Value {
        self.scope["state"].take()
    }

    /// What expressions over the state see.
    pub(super) fn scope(&self) -> &Value {
        &self.scope
    }

    /// Evaluates something with `input` beside the state.
    pub(crate) fn with_input<R>(&mut self, input: Value, work: impl FnOnce(&Value) -> R) -> R {
        self.scope["input"] = input;
        let result = work(&self.scope);
        if let Some(scope) = self.scope.as_object_mut() {
            scope.remove("input");
        }
        result
    }
}
