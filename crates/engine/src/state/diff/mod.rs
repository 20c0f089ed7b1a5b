//! What changed between two states: a JSON Patch (RFC 6902) that turns one into the other, and deltas that name the
//! entities that changed.
//!
//! Items of arrays are followed by their identity, not by their place: see [`alignment`]. The patch is at most a
//! tenth larger than replacing the whole state.

mod alignment;
mod bytes;
mod delta;
mod entity;
mod increasing;
mod operation;
mod patch;
mod pointer;
mod relocation;
#[cfg(test)]
mod tests;

use serde::Serialize;
use serde_json::Value;

pub(crate) use bytes::bytes;
pub use delta::{Delta, Place};
pub use entity::Entity;
pub use operation::Operation;

/// The difference between two states.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Diff {
    /// The JSON Patch: applied to the state before, it gives the state after.
    pub patches: Vec<Operation>,
    /// The same change in terms of entities and their fields.
    pub semantic_deltas: Vec<Delta>,
}

impl Diff {
    /// Compares two states.
    ///
    /// ```
    /// use actions_engine::Diff;
    /// use serde_json::json;
    ///
    /// let before = json!({ "cards": [{ "id": 1, "title": "Sow" }, { "id": 2, "title": "Dig" }] });
    /// let after = json!({ "cards": [{ "id": 2, "title": "Dig" }, { "id": 1, "title": "Sow" }] });
    /// let diff = Diff::between(&before, &after);
    /// assert_eq!(json!(diff.patches), json!([{ "op": "move", "from": "/cards/1", "path": "/cards/0" }]));
    /// ```
    pub fn between(before: &Value, after: &Value) -> Self {
        Self { patches: patch::between(before, after), semantic_deltas: delta::between(before, after) }
    }

    /// Whether nothing changed.
    pub fn is_empty(&self) -> bool {
        self.patches.is_empty()
    }
}
