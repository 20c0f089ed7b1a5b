//! How far a primitive reaches.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How far a primitive reaches, and so what a caller must be granted to use it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CapabilityClass {
    /// Reads and operates the page as a visitor could.
    Portable,
    /// Reaches beyond the page: the browser, its tabs and dialogs, files, storage, other pages.
    Privileged,
    /// Runs code given by the caller.
    Debug,
    /// Depends on the arguments: on what a nested call does, or on where a value comes from.
    Mixed,
}

impl CapabilityClass {
    /// The class as it stands in a dictionary file.
    pub const fn as_str(self) -> &'static str {
        match self {
            CapabilityClass::Portable => "portable",
            CapabilityClass::Privileged => "privileged",
            CapabilityClass::Debug => "debug",
            CapabilityClass::Mixed => "mixed",
        }
    }
}

impl fmt::Display for CapabilityClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
