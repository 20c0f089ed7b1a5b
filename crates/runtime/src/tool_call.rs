//! A call in a session: of a tool, or of one primitive.

use actions_engine::{CallId, CancellationToken, Consent, Engine, Millis, Observer, TraceRecorder};
use serde_json::{Value, json};

use crate::admission::Caller;
use crate::route::Route;

/// What is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Callee {
    /// A tool of a map.
    Tool(String),
    /// A primitive, by itself.
    Primitive(String),
}

/// A call in a session: of a tool, or of one primitive.
#[non_exhaustive]
pub struct ToolCall<'c> {
    /// What is called.
    pub callee: Callee,
    /// Its arguments.
    pub arguments: Value,
    /// The page to call it on.
    pub route: Route,
    /// The map that has the tool, instead of the maps of the session.
    pub map: Option<Engine>,
    /// The transition whose `convergence` repeats the tool; the tool is called once if absent.
    pub traverse: Option<String>,
    /// What the caller has agreed to; what the map of the session was opened with if absent.
    pub consent: Option<Consent>,
    /// The id of the call; a new one if absent.
    pub call_id: Option<CallId>,
    /// The time limit; that of the map's limits if absent.
    pub timeout: Option<Millis>,
    /// Who receives the events of the call, besides the subscribers of the runtime.
    pub observer: &'c dyn Observer,
    /// The trace that records the call.
    pub trace: Option<&'c TraceRecorder>,
    /// The client that calls.
    pub caller: Caller,
    /// Cancels the call.
    pub cancel: CancellationToken,
}

impl<'c> ToolCall<'c> {
    /// A call of a tool on the current page, without arguments.
    pub fn of(tool: impl Into<String>) -> Self {
        Self::to(Callee::Tool(tool.into()))
    }

    /// A call of one primitive on the current page, without arguments.
    pub fn of_primitive(primitive: impl Into<String>) -> Self {
        Self::to(Callee::Primitive(primitive.into()))
    }

    fn to(callee: Callee) -> Self {
        Self {
            callee,
            arguments: json!({}),
            route: Route::Current,
            map: None,
            traverse: None,
            consent: None,
            call_id: None,
            timeout: None,
            observer: &(),
            trace: None,
            caller: Caller::default(),
            cancel: CancellationToken::new(),
        }
    }

    /// Sets the arguments.
    #[must_use]
    pub fn arguments(mut self, arguments: Value) -> Self {
        self.arguments = arguments;
        self
    }

    /// Sets the client that calls.
    #[must_use]
    pub fn by(mut self, caller: Caller) -> Self {
        self.caller = caller;
        self
    }

    /// Sets the page.
    #[must_use]
    pub fn on(mut self, route: Route) -> Self {
        self.route = route;
        self
    }

    /// Sets the map that has the tool. The page stays confined to the origins that the session was opened with.
    #[must_use]
    pub fn under(mut self, map: Engine) -> Self {
        self.map = Some(map);
        self
    }

    /// Repeats the tool until the `convergence` of this transition ends it. The value says whether it converged, how many
    /// attempts it took, and what they returned.
    #[must_use]
    pub fn traversing(mut self, transition: impl Into<String>) -> Self {
        self.traverse = Some(transition.into());
        self
    }

    /// Sets what the caller has agreed to.
    #[must_use]
    pub fn consenting(mut self, consent: Consent) -> Self {
        self.consent = Some(consent);
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
