//! Classes of failures, and what a caller can safely do about each.

use serde::{Serialize, Serializer};

/// What kind of trouble a failure is. The code decides it, never the text of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureClass {
    /// The arguments were refused before anything was done.
    InvalidInput,
    /// What was looked for is not on the page.
    TargetNotFound,
    /// The target is there, but not ready.
    ControlNotReady,
    /// Another element received the input or covers the target.
    OverlayInterference,
    /// Every step ran, but the result is not there.
    PostconditionFailed,
    /// A policy, a permission or a missing capability.
    Refused,
    /// The browser, the network or the page's process.
    Environment,
    /// The map asks for something that cannot be computed or performed.
    MapDefect,
    /// The caller cancelled the call.
    Cancelled,
    /// This program is at fault.
    Defect,
}

impl FailureClass {
    /// The class as it stands on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::InvalidInput => "invalid_input",
            Self::TargetNotFound => "target_not_found",
            Self::ControlNotReady => "control_not_ready",
            Self::OverlayInterference => "overlay_interference",
            Self::PostconditionFailed => "postcondition_failed",
            Self::Refused => "refused",
            Self::Environment => "environment",
            Self::MapDefect => "map_defect",
            Self::Cancelled => "cancelled",
            Self::Defect => "defect",
        }
    }

    /// What a caller can safely do next.
    pub const fn safe_recovery(self, mutated: bool) -> &'static str {
        match (self, mutated) {
            (Self::InvalidInput, _) => "correct the arguments and call again",
            (Self::Refused, _) => "ask the person or the embedder to allow it",
            (Self::MapDefect, _) => "report the failure to the map's author",
            (Self::Defect, _) => "report the failure to the authors of this program",
            (Self::Cancelled, _) => "read the state of the page before going on",
            (_, true) => "read the state of the page first: something was already changed",
            (Self::TargetNotFound, false) => {
                "check that the page is the right one, then run the map's checks for drift"
            }
            (Self::ControlNotReady, false) => "call again; nothing was changed",
            (Self::OverlayInterference, false) => {
                "close what covers the target, then call again; nothing was changed"
            }
            (Self::PostconditionFailed, false) => "read the state of the page before going on",
            (Self::Environment, false) => "open a new page and call again; nothing was changed",
        }
    }
}

impl Serialize for FailureClass {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
