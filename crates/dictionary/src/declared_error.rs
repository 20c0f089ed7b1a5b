//! An error code that a primitive declares, with the reason in its own words.

use actions_protocol::ErrorCode;
use serde::{Deserialize, Serialize};

/// An error code a primitive may end with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeclaredError {
    /// The code.
    pub code: ErrorCode,
    /// What has to happen for a call to end with it.
    pub when: String,
    /// The group of common errors it belongs to; none when the primitive itself declares it.
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
}
