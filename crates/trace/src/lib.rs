//! What happens during a call, as data: the events, a recorder that writes them to a folder, a reader that reads the
//! folder back, and the masking of secrets that everything in an event has passed.
//!
//! ```
//! use actions_protocol::CallId;
//! use actions_trace::{EventKind, RunEvent, Secrets};
//! use serde_json::json;
//!
//! let secrets = Secrets::default();
//! secrets.learn(&json!("hunter22"));
//! let event = RunEvent {
//!     kind: EventKind::CallFinished {
//!         ok: true,
//!         value: Some(secrets.mask(&json!("you typed hunter22"))),
//!         error: None,
//!         duration_ms: 12,
//!     },
//!     call_id: CallId::parse("call-1").unwrap(),
//!     within: Vec::new(),
//! };
//! let line = json!(event);
//! assert_eq!(line["value"], "you typed [secret]");
//! let read: RunEvent = serde_json::from_value(line).unwrap();
//! assert_eq!(read, event);
//! ```
//!
//! A consumer of events ignores the kinds it does not know: [`EventKind`] grows.

mod about;
mod event;
mod folder;
mod reader;
mod recorder;
mod secrets;
mod version;

pub use about::{About, MapDigest};
pub use event::{EventKind, Moment, Picture, RequestFailure, RunEvent, Settled, StepSummary};
pub use folder::TraceError;
pub use reader::{Entry, ReadError, Recorded, Trace};
pub use recorder::TraceRecorder;
pub use secrets::{Finder, Maskable, Masked, Secrets, Sought, sought};
pub use version::Version;
