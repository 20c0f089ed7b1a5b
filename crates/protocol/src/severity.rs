//! How much damage a failure or a drift may do.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How much damage a failure or a drift may do.
///
/// Severities are ordered, so that a threshold is a comparison:
///
/// ```
/// use actions_protocol::Severity;
/// assert!(Severity::Critical >= Severity::Major);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Documentation or evidence that blocks nothing.
    Info,
    /// Low-risk drift or a refusal the caller can mend at once.
    Minor,
    /// The action failed, or would have met the wrong part of the page.
    Major,
    /// Credentials, payment, destructive operations or the wrong user's data may be involved.
    Critical,
}

impl Severity {
    /// Every severity, from the least to the worst.
    pub const ALL: &'static [Severity] = &[Self::Info, Self::Minor, Self::Major, Self::Critical];

    /// The severity as it stands on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Minor => "minor",
            Self::Major => "major",
            Self::Critical => "critical",
        }
    }

    /// Finds a severity by its wire name.
    pub fn from_wire(wire: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|severity| severity.as_str() == wire)
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wire_name_is_what_serde_writes_and_reads() {
        for &severity in Severity::ALL {
            let json = serde_json::to_string(&severity).unwrap();
            assert_eq!(json, format!("\"{severity}\""));
            assert_eq!(serde_json::from_str::<Severity>(&json).unwrap(), severity);
            assert_eq!(Severity::from_wire(severity.as_str()), Some(severity));
        }
    }
}
