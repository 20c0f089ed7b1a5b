//! A call that was accepted and waits for its page.

use std::sync::Arc;
use std::time::Instant;

use actions_engine::{CallError, CancellationToken, Engine, Millis, SiteRequest};
use actions_protocol::{ActionCallOutput, ActionError, CallId, Item, RuntimeId};
use serde_json::{Map, Value, json};

use crate::client::Client;

/// A call that was accepted and waits for its page.
pub(crate) struct Order {
    pub(crate) client: Arc<Client>,
    pub(crate) call_id: CallId,
    /// What its answers say they come from. A bridge compares it byte by byte.
    pub(crate) runtime_id: RuntimeId,
    /// The name that the client called.
    pub(crate) action: String,
    pub(crate) work: Work,
    /// The time it may take from its arrival on; that of its map if absent.
    pub(crate) limit: Option<Millis>,
    pub(crate) since: Instant,
    pub(crate) cancel: CancellationToken,
    pub(crate) wrap: Wrap,
}

/// The shape of an answer.
#[derive(Clone, Debug)]
pub(crate) enum Wrap {
    /// The value itself.
    Plain,
    /// The envelope that callers of the reference bridge expect.
    Peer {
        /// The runtime as the peer wrote it.
        runtime_id: RuntimeId,
    },
}

/// What a call asks for.
pub(crate) enum Work {
    /// A tool, of the maps of the session or of another one.
    Tool { tool: String, arguments: Value, map: Option<Engine> },
    /// A primitive.
    Primitive { primitive: String, arguments: Value },
    /// What the maps offer on the page.
    List,
    /// A reading of a state, by the maps of the session or by another one.
    State { request: SiteRequest, projection: String, map: Option<Engine> },
}

impl Order {
    /// How much of its time is left, if it has a time limit of its own.
    pub(crate) fn time_left(&self) -> Option<Millis> {
        let waited = Millis::from(self.since.elapsed());
        self.limit.map(|limit| Millis(limit.0.saturating_sub(waited.0).max(1)))
    }

    /// The value of a call in the shape that its client expects.
    pub(crate) fn shaped(&self, work: &Work, value: Value) -> Value {
        if matches!(self.wrap, Wrap::Plain) {
            return value;
        }
        match work {
            Work::Tool { tool, .. } => {
                json!({ "ok": true, "primitive": "actions.workflow", "action": tool, "value": value })
            }
            Work::Primitive { primitive, .. } => {
                json!({ "ok": true, "primitive": primitive, "adapter": "actions", "value": value })
            }
            // Listings and states say what they are by themselves.
            Work::List | Work::State { .. } => value,
        }
    }

    /// Answers the call.
    pub(crate) fn answer(&self, result: Result<Value, CallError>, extra: Map<String, Value>) {
        let (call_id, runtime_id) = (self.call_id.clone(), self.runtime_id.clone());
        let item: Item = match result {
            Ok(value) => {
                ActionCallOutput { extra, ..ActionCallOutput::new(call_id, runtime_id, value) }.into()
            }
            Err(error) => {
                let error = ActionError::new(error.to_error_object());
                let error = error.for_call(call_id).in_runtime(runtime_id);
                ActionError { extra, ..error }.into()
            }
        };
        self.client.answer(&self.call_id, &item);
    }
}
