//! What a locator matched, as outputs show it.

use serde::{Deserialize, Serialize};

use crate::acted_on::ActedOn;

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

/// What a locator matched, how it was found, and which control it stands for.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub(crate) struct Located {
    #[serde(flatten)]
    matched: Matched,
    #[serde(skip_serializing_if = "Option::is_none")]
    matched_by: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    matched_selector: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    identity_seen: Option<IdentitySeen>,
    #[serde(skip_serializing_if = "Option::is_none")]
    acted_on: Option<ActedOn>,
}

impl From<Matched> for Located {
    fn from(matched: Matched) -> Self {
        Self { matched, ..Self::default() }
    }
}

/// The role and the name that an element really has.
#[derive(Clone, Debug, Deserialize, Serialize)]
struct IdentitySeen {
    role: String,
    name: String,
}
