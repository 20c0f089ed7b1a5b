//! Whether this engine performs a primitive.

use serde::{Deserialize, Serialize};

/// Whether this engine performs a primitive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Support {
    /// The engine performs it.
    Performed,
    /// Maps may name it, but a call ends with `capability_unavailable`; the text says why.
    Planned(String),
}

impl Support {
    /// Whether the engine performs the primitive.
    pub fn is_performed(&self) -> bool {
        *self == Support::Performed
    }
}
