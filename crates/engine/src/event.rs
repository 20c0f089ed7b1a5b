//! What happens during a call. Progress, traces, bridge items and reports are readers of the same events.

use actions_protocol::{CallId, ErrorObject, StepId};
use serde::Serialize;
use serde_json::Value;
use tokio::sync::mpsc::UnboundedSender;

/// How a settle ended.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Settled {
    /// Whether what was waited for came.
    pub ok: bool,
    /// Why not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<&'static str>,
    /// How long it took.
    pub waited_ms: u64,
}

/// What became of a step, in short.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StepSummary {
    /// Its id.
    pub id: StepId,
    /// The primitive it called.
    pub primitive: String,
    /// Whether it succeeded.
    pub ok: bool,
    /// Whether its condition left it out.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub skipped: bool,
    /// How long it took.
    pub duration_ms: u64,
    /// How its settle ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub settle: Option<Settled>,
}

/// One thing that happened. Secrets are taken out before an event is told.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum RunEvent {
    /// The call begins.
    CallStarted {
        /// The call.
        call_id: CallId,
        /// The tool.
        tool: String,
        /// Its arguments, defaults included.
        input: Value,
        /// The page it begins on.
        url: String,
    },
    /// The tool's target was found.
    TargetResolved {
        /// What was seen of it.
        evidence: Value,
    },
    /// A step begins.
    StepStarted {
        /// Its id.
        step_id: StepId,
        /// The steps of outer calls it runs within, from the outside in; none in the call itself.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        within: Vec<StepId>,
        /// The primitive.
        primitive: String,
        /// Its number, from 1.
        number: usize,
        /// How many steps there are.
        of: usize,
    },
    /// A primitive is about to run.
    PrimitiveStarted {
        /// The step; none when the tool is bound to the primitive by its handler.
        #[serde(skip_serializing_if = "Option::is_none")]
        step_id: Option<StepId>,
        /// The steps of outer calls it runs within, from the outside in; none in the call itself.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        within: Vec<StepId>,
        /// The primitive; `after_each` runs one of its own.
        primitive: String,
        /// Its arguments.
        args: Value,
        /// Whether it may change the page or the site.
        mutating: bool,
        /// The item of a loop or the attempt of a retry, from 0.
        #[serde(skip_serializing_if = "Option::is_none")]
        index: Option<usize>,
    },
    /// A primitive is done.
    PrimitiveFinished {
        /// The step; none when the tool is bound to the primitive by its handler.
        #[serde(skip_serializing_if = "Option::is_none")]
        step_id: Option<StepId>,
        /// The steps of outer calls it runs within, from the outside in; none in the call itself.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        within: Vec<StepId>,
        /// The primitive.
        primitive: String,
        /// What it gave.
        #[serde(skip_serializing_if = "Option::is_none")]
        output: Option<Value>,
        /// Why it failed.
        #[serde(skip_serializing_if = "Option::is_none")]
        error: Option<ErrorObject>,
        /// How long it took.
        duration_ms: u64,
    },
    /// The condition of a retried step was looked at.
    RetryEvaluated {
        /// The step.
        step_id: StepId,
        /// The steps of outer calls it runs within, from the outside in; none in the call itself.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        within: Vec<StepId>,
        /// The attempt, from 0.
        attempt: usize,
        /// Whether it holds.
        satisfied: bool,
    },
    /// A step waited for what it settles by.
    Settled {
        /// The step.
        step_id: StepId,
        /// The steps of outer calls it runs within, from the outside in; none in the call itself.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        within: Vec<StepId>,
        /// The item of a loop, from 0.
        #[serde(skip_serializing_if = "Option::is_none")]
        index: Option<usize>,
        /// How it ended.
        settle: Settled,
    },
    /// A step ended.
    StepFinished {
        /// The steps of outer calls it runs within, from the outside in; none in the call itself.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        within: Vec<StepId>,
        /// What became of it.
        #[serde(flatten)]
        summary: StepSummary,
        /// Why it failed.
        #[serde(skip_serializing_if = "Option::is_none")]
        error: Option<ErrorObject>,
    },
    /// A loop has more items than it may go through.
    ItemsLeftOut {
        /// The step.
        step_id: StepId,
        /// The steps of outer calls it runs within, from the outside in; none in the call itself.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        within: Vec<StepId>,
        /// How many.
        count: usize,
    },
    /// The network is a recording, and it does not hold a request.
    ReplayMiss {
        /// The method.
        method: String,
        /// The address.
        url: String,
        /// What it was for: `Document`, `Script`, `Fetch` …
        resource: String,
        /// Whether the page wanted to go there; the call fails then.
        navigation: bool,
        /// The body, by length and hash.
        #[serde(skip_serializing_if = "Option::is_none")]
        body: Option<String>,
        /// The recorded request that comes closest.
        #[serde(skip_serializing_if = "Option::is_none")]
        nearest: Option<String>,
    },
    /// A request would have left the allowed origins.
    RequestRefused {
        /// The method.
        method: String,
        /// The address.
        url: String,
        /// What it was for: `Document`, `Script`, `Fetch` …
        resource: String,
        /// Whether the page wanted to go there; the call fails then.
        navigation: bool,
        /// What tried.
        by: String,
    },
    /// A dialog of the page was answered as the tool says, or as is done when it does not say.
    DialogAnswered {
        /// `alert`, `confirm`, `prompt` or `beforeunload`.
        kind: &'static str,
        /// What it said: the page's words, to be treated as data.
        message: String,
        /// The address of the document that opened it.
        url: String,
        /// Whether the answer was yes.
        accepted: bool,
    },
    /// A postcondition was looked at for the last time.
    PostconditionChecked {
        /// The projection it read.
        projection: String,
        /// Whether it holds.
        ok: bool,
        /// How often it was looked at.
        looks: usize,
        /// How long it took.
        waited_ms: u64,
    },
    /// The call is over.
    CallFinished {
        /// Whether it succeeded.
        ok: bool,
        /// What it gave.
        #[serde(skip_serializing_if = "Option::is_none")]
        value: Option<Value>,
        /// Why it failed.
        #[serde(skip_serializing_if = "Option::is_none")]
        error: Option<ErrorObject>,
        /// How long it took.
        duration_ms: u64,
    },
}

/// Someone who is told what happens, in order. It must not block.
pub trait Observer: Send + Sync {
    /// Something happened.
    fn event(&self, event: &RunEvent);
}

/// Nobody.
impl Observer for () {
    fn event(&self, _: &RunEvent) {}
}

impl<F: Fn(&RunEvent) + Send + Sync> Observer for F {
    fn event(&self, event: &RunEvent) {
        self(event);
    }
}

/// A channel. Whoever reads it may be as slow as they like, and may go away.
///
/// ```
/// use actions_engine::{Engine, RunEvent, Session};
/// use tokio::sync::mpsc;
///
/// async fn watched(session: &Session) {
///     let (events, mut stream) = mpsc::unbounded_channel();
///     let call = async {
///         let outcome = session.call("search.submit").observer(&events).run().await;
///         drop(events);
///         outcome
///     };
///     let watch = async {
///         while let Some(event) = stream.recv().await {
///             if let RunEvent::StepFinished { summary, .. } = event {
///                 println!("{}: {}", summary.id, summary.ok);
///             }
///         }
///     };
///     let (outcome, ()) = tokio::join!(call, watch);
///     println!("{:?}", outcome.result);
/// }
/// ```
impl Observer for UnboundedSender<RunEvent> {
    fn event(&self, event: &RunEvent) {
        // Nobody listens any more: the call goes on all the same.
        let _ = self.send(event.clone());
    }
}
