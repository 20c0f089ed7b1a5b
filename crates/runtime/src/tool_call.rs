//! A call of a tool in a session.

use actions_engine::{CallId, CancellationToken, Millis, Observer, TraceRecorder};
use serde_json::{Value, json};

use crate::route::Route;

/// A call of a tool in a session.
#[non_exhaustive]
pub struct ToolCall<'c> {
    /// The tool.
    pub tool: String,
    /// Its arguments.
    pub arguments: Value,
    /// The page to call it on.
    pub route: Route,
    /// The id of the call; a new one if absent.
    pub call_id: Option<CallId>,
    /// The time limit; that of the map's limits if absent.
    pub timeout: Option<Millis>,
    /// Who receives the events of the call, besides the subscribers of the runtime.
    pub observer: &'c dyn Observer,
    /// The trace that records the call.
    pub trace: Option<&'c TraceRecorder>,
    /// Cancels the call.
    pub cancel: CancellationToken,
}

impl<'c> ToolCall<'c> {
    /// A call of a tool on the current page, without arguments.
    pub fn of(tool: impl Into<String>) -> Self {
        Self {
            tool: tool.into(),
            arguments: json!({}),
            route: Route::Current,
            call_id: None,
            timeout: None,
            observer: &(),
            trace: None,
            cancel: CancellationToken::new(),
        }
    }

    /// Sets the arguments.
    #[must_use]
    pub fn arguments(mut self, arguments: Value) -> Self {
        self.arguments = arguments;
        self
    }

    /// Sets the page.
    #[must_use]
    pub fn on(mut self, route: Route) -> Self {
        self.route = route;
        self
    }

    /// Sets the id.
    #[must_use]
    pub fn id(mut self, call_id: CallId) -> Self {
        self.call_id = Some(call_id);
        self
    }

    /// Sets the time limit.
    #[must_use]
    pub fn timeout(mut self, timeout: Millis) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// Sets who receives the events.
    #[must_use]
    pub fn observer(mut self, observer: &'c dyn Observer) -> Self {
        self.observer = observer;
        self
    }

    /// Sets the trace.
    #[must_use]
    pub fn trace(mut self, trace: &'c TraceRecorder) -> Self {
        self.trace = Some(trace);
        self
    }

    /// Sets the token that cancels the call.
    #[must_use]
    pub fn cancelled_by(mut self, cancel: CancellationToken) -> Self {
        self.cancel = cancel;
        self
    }
}
