//! An error code as another program may send it.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{ErrorCode, Exit};

/// An error code as it arrives: one of ours, or one that only its sender knows and that is handed on unchanged.
///
/// ```
/// use actions_protocol::{ErrorCode, WireCode};
/// assert_eq!(WireCode::from_wire("timeout"), WireCode::Known(ErrorCode::Timeout));
/// assert_eq!(WireCode::from_wire("tab_closed").as_str(), "tab_closed");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum WireCode {
    /// A code of the table.
    Known(ErrorCode),
    /// A code that is not in the table. `from_wire` never puts a known one here.
    Other(String),
}

impl WireCode {
    /// Reads a code; every text is one.
    pub fn from_wire(wire: &str) -> Self {
        ErrorCode::from_wire(wire).map_or_else(|| Self::Other(wire.to_owned()), Self::Known)
    }

    /// The code as it stands on the wire.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Known(code) => code.as_str(),
            Self::Other(wire) => wire,
        }
    }

    /// The code of the table, if it is one.
    pub const fn known(&self) -> Option<ErrorCode> {
        match self {
            Self::Known(code) => Some(*code),
            Self::Other(_) => None,
        }
    }

    /// The exit code of a command that ends with this error: an unknown code means only that the action failed.
    pub const fn exit(&self) -> Exit {
        match self {
            Self::Known(code) => code.exit(),
            Self::Other(_) => Exit::Failed,
        }
    }
}

impl From<ErrorCode> for WireCode {
    fn from(code: ErrorCode) -> Self {
        Self::Known(code)
    }
}

impl fmt::Display for WireCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl Serialize for WireCode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for WireCode {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        std::borrow::Cow::<'de, str>::deserialize(deserializer).map(|wire| Self::from_wire(&wire))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_of_the_table_is_known() {
        for &code in ErrorCode::ALL {
            assert_eq!(WireCode::from_wire(code.as_str()), WireCode::Known(code));
        }
    }

    #[test]
    fn a_foreign_code_survives_the_round_trip_and_means_that_the_action_failed() {
        let code: WireCode = serde_json::from_str("\"tab_closed\"").unwrap();
        assert_eq!(code.known(), None);
        assert_eq!(code.exit(), Exit::Failed);
        assert_eq!(serde_json::to_string(&code).unwrap(), "\"tab_closed\"");
    }
}
