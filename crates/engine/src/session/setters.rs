//! The setters that a call and a traversal have in common.

use actions_protocol::{CallId, Millis};
use actions_trace::TraceRecorder;
use tokio_util::sync::CancellationToken;

use crate::observer::Observer;

/// How something is called, whatever it is.
pub(super) struct Options<'s> {
    pub(super) call_id: Option<CallId>,
    pub(super) timeout: Option<Millis>,
    pub(super) observer: &'s dyn Observer,
    pub(super) trace: Option<&'s TraceRecorder>,
    pub(super) cancel: CancellationToken,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self { call_id: None, timeout: None, observer: &(), trace: None, cancel: CancellationToken::new() }
    }
}

/// Writes the setters of a type with a field `options`. Each line of documentation is the caller's.
macro_rules! setters {
    ($(#[$id:meta])* id, $(#[$timeout:meta])* timeout, $(#[$observer:meta])* observer, $(#[$trace:meta])* trace,
        $(#[$cancel:meta])* cancelled_by) => {
        $(#[$id])*
        pub fn id(mut self, call_id: CallId) -> Self {
            self.options.call_id = Some(call_id);
            self
        }

        $(#[$timeout])*
        pub fn timeout(mut self, timeout: Millis) -> Self {
            self.options.timeout = Some(timeout);
            self
        }

        $(#[$observer])*
        pub fn observer(mut self, observer: &'s dyn Observer) -> Self {
            self.options.observer = observer;
            self
        }

        $(#[$trace])*
        pub fn trace(mut self, trace: &'s TraceRecorder) -> Self {
            self.options.trace = Some(trace);
            self
        }

        $(#[$cancel])*
        pub fn cancelled_by(mut self, cancel: CancellationToken) -> Self {
            self.options.cancel = cancel;
            self
        }
    };
}
pub(super) use setters;
