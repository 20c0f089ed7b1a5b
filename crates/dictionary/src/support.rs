//! Whether this engine performs a primitive.

use serde::{Deserialize, Serialize};

/// Whether this engine performs a primitive. It performs every one of its dictionary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Support {
    /// The engine performs it.
    Performed,
}
