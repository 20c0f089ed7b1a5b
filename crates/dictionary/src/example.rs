//! An example call of a primitive.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One call that succeeds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Example {
    /// The arguments.
    pub args: Value,
    /// What the call gives.
    pub output: Value,
}
