//! The words on the wire: items, ids, safe names and the one table of error codes.
//!
//! Everything that crosses a process border is a type of this crate. It does no I/O, has no clock, and knows
//! neither maps nor browsers.

mod byte_limit;
mod error_code;
mod error_object;
mod exit;
mod failure_class;
mod id;
mod item;
pub mod limits;
mod millis;
mod name_error;
mod responses;
mod safe_name;
mod severity;
mod step_id;
mod text;
mod timestamp;
mod wab_code;
mod whole_number;
mod wire_code;

pub use byte_limit::ByteLimit;
pub use error_code::{ErrorCode, Topic};
pub use error_object::ErrorObject;
pub use exit::Exit;
pub use failure_class::FailureClass;
pub use id::{AuthorizationId, CallId, EventId, IdError, RuntimeId, RuntimeKey};
pub use item::{
    ActionCall, ActionCallOutput, ActionCancel, ActionError, ActionProgress, AttachmentStatus, BrowserId,
    CallTarget, DomEvent, Item, ItemError, ProgressStep, Replay, RuntimeReady, RuntimeRemoved, RuntimeStatus,
    Tab,
};
pub use millis::Millis;
pub use name_error::NameError;
pub use responses::{FunctionCall, FunctionCallError, FunctionCallOutput};
pub use safe_name::SafeName;
pub use severity::Severity;
pub use step_id::StepId;
pub use timestamp::{Timestamp, TimestampError};
pub use wab_code::WabCode;
pub use wire_code::WireCode;
