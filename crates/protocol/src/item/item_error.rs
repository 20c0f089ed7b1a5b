//! Why a message is not an item.

use thiserror::Error;

use crate::{CallId, ErrorCode, ErrorObject};

/// Why a message is not an item.
///
/// If the message names its call, the error keeps the call id, so that the call can still be answered.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ItemError {
    /// The text is not JSON.
    #[error("the message is not JSON: {0}")]
    NotJson(#[source] serde_json::Error),
    /// The JSON is not an object.
    #[error("an item is a JSON object, not {found}")]
    NotAnObject {
        /// What it is instead.
        found: &'static str,
    },
    /// The object does not say what it is.
    #[error("the item has no `type`, or it is not a string")]
    NoType {
        /// The call it is about.
        call_id: Option<CallId>,
    },
    /// The object says it is something this protocol does not have.
    #[error("`{}` is not one of the item types {}", quote(found), super::Item::TYPES.join(", "))]
    UnknownType {
        /// What it says it is.
        found: String,
        /// The call it is about.
        call_id: Option<CallId>,
    },
    /// A field is missing or has the wrong type.
    #[error("{item_type}{}: {reason}", Self::place(path))]
    InvalidField {
        /// The type of the item.
        item_type: &'static str,
        /// The way to the field, such as `error.severity`; `.` when a field of the item itself is missing.
        path: String,
        /// What is wrong with it.
        reason: String,
        /// The call it is about.
        call_id: Option<CallId>,
    },
}

impl ItemError {
    /// The call the message is about, if that could be read.
    pub const fn call_id(&self) -> Option<&CallId> {
        match self {
            Self::NotJson(_) | Self::NotAnObject { .. } => None,
            Self::NoType { call_id }
            | Self::UnknownType { call_id, .. }
            | Self::InvalidField { call_id, .. } => call_id.as_ref(),
        }
    }

    /// The error to answer with.
    pub fn to_error_object(&self) -> ErrorObject {
        ErrorObject::new(ErrorCode::InvalidInput, self.to_string())
    }

    fn place(path: &str) -> String {
        if path == "." { String::new() } else { format!(" at `{path}`") }
    }
}

/// The beginning of a text from elsewhere, fit for a log line.
fn quote(text: &str) -> String {
    text.escape_debug().take(60).collect()
}
