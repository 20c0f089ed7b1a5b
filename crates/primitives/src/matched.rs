//! What a locator matched, as outputs show it.

use serde::{Deserialize, Serialize};

/// What a locator matched: whether it was ambiguous, how many elements there were, and whether role and name agree. All
/// are absent when a gesture goes to a point.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub(crate) struct Matched {
    #[serde(skip_serializing_if = "Option::is_none")]
    ambiguous: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    candidate_count: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    identity: Option<String>,
}
