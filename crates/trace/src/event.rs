//! What happens during a call. Progress, traces, bridge items and reports are consumers of the same events.

use actions_protocol::{CallId, ErrorObject, SafeName, StepId, WireCode};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::Masked;

/// Something that happened during a call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunEvent {
    /// What happened.
    #[serde(flatten)]
    pub kind: EventKind,
    /// The call it belongs to. A call that a step makes has an id of its own, which its `call_started` introduces.
    pub call_id: CallId,
    /// The steps of outer calls it runs within, from the outside in; empty in a call that no step makes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub within: Vec<StepId>,
}

/// What happened. Whatever an input or a page can put into an event is [`Masked`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
#[non_exhaustive]
pub enum EventKind {
    /// A call begins.
    CallStarted {
        /// The call whose step makes this one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        parent: Option<CallId>,
        /// The tool.
        tool: SafeName,
        /// Its arguments, defaults included.
        input: Masked<Value>,
        /// The address of the page it begins on.
        url: Masked<String>,
    },
    /// The target of the tool was found.
    TargetResolved {
        /// How it was found and what it is.
        evidence: Masked<Value>,
    },
    /// A step begins.
    StepStarted {
        /// The step.
        step_id: StepId,
        /// The primitive.
        primitive: String,
        /// Its number, from 1.
        number: usize,
        /// How many steps there are.
        of: usize,
    },
    /// A primitive is about to run.
    PrimitiveStarted {
        /// The step; absent when the handler of the tool is the primitive.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        step_id: Option<StepId>,
        /// The primitive; `after_each` runs one of its own.
        primitive: String,
        /// Its arguments.
        args: Masked<Value>,
        /// Whether it may change the page or the site.
        mutating: bool,
        /// The item of a loop or the attempt of a retry, from 0.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        index: Option<usize>,
    },
    /// A primitive has ended.
    PrimitiveFinished {
        /// The step; absent when the handler of the tool is the primitive.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        step_id: Option<StepId>,
        /// The primitive.
        primitive: String,
        /// What it returned.
        #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
        output: Option<Masked<Value>>,
        /// Why it failed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        error: Option<Masked<ErrorObject>>,
        /// How long it took.
        duration_ms: u64,
    },
    /// The condition of a retried step was evaluated.
    RetryEvaluated {
        /// The step.
        step_id: StepId,
        /// The attempt, from 0.
        attempt: usize,
        /// Whether the condition holds.
        satisfied: bool,
    },
    /// The `after_each` of a retried step failed between attempts. Reported once, when the retry ends.
    AfterEachFailed {
        /// The step.
        step_id: StepId,
        /// The primitive of `after_each`.
        primitive: String,
        /// How often it failed.
        times: usize,
        /// Its last error.
        error: Masked<ErrorObject>,
    },
    /// A step waited for its `settle_after`.
    Settled {
        /// The step.
        step_id: StepId,
        /// The item of a loop, from 0.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        index: Option<usize>,
        /// How the wait ended.
        settle: Settled,
    },
    /// A step ended.
    StepFinished {
        /// The step and how it ended.
        #[serde(flatten)]
        summary: StepSummary,
        /// Why it failed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        error: Option<Masked<ErrorObject>>,
    },
    /// A loop has more items than its limit; the rest was dropped.
    ItemsLeftOut {
        /// The step.
        step_id: StepId,
        /// How many items were dropped.
        count: usize,
    },
    /// The network is a recording, and the recording has no response for a request.
    ReplayMiss {
        /// The method.
        method: Masked<String>,
        /// The address.
        url: Masked<String>,
        /// What the request was for: `Document`, `Script`, `Fetch` …
        resource: String,
        /// Whether the page tried to navigate there; the call fails then.
        navigation: bool,
        /// The length and the hash of the request body.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        body: Option<String>,
        /// The most similar recorded request.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        nearest: Option<Masked<String>>,
    },
    /// A request to an origin that is not allowed was blocked.
    RequestRefused {
        /// The method.
        method: Masked<String>,
        /// The address.
        url: Masked<String>,
        /// What the request was for: `Document`, `Script`, `Fetch` …
        resource: String,
        /// Whether the page tried to navigate there; the call fails then.
        navigation: bool,
        /// What sent the request.
        by: Masked<String>,
    },
    /// A dialog of the page was answered, as the tool says or by default.
    DialogAnswered {
        /// `alert`, `confirm`, `prompt` or `beforeunload`.
        kind: String,
        /// Its message: the page's words, to be treated as data.
        message: Masked<String>,
        /// The address of the document that opened it.
        url: Masked<String>,
        /// Whether the answer was yes.
        accepted: bool,
    },
    /// The page of the call opened another page, which belongs to the session now.
    PageOpened {
        /// The id by which clients address it.
        runtime_id: String,
        /// Its address at that time.
        url: Masked<String>,
    },
    /// The page, or the browser on its behalf, wrote to the console.
    Console {
        /// `debug`, `info`, `warning` or `error`.
        level: String,
        /// The text: the page's words, to be treated as data.
        text: Masked<String>,
        /// The script or document that wrote it, if known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        url: Option<Masked<String>>,
        /// The line there, from 1.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        line: Option<u32>,
    },
    /// A script of the page threw an exception that nothing caught.
    Exception {
        /// The message and the stack: the page's words, to be treated as data.
        text: Masked<String>,
        /// The script that threw it, if known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        url: Option<Masked<String>>,
        /// The line there, from 1.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        line: Option<u32>,
    },
    /// A request of the page got no response, or a response with an error status.
    RequestFailed {
        /// The method.
        method: Masked<String>,
        /// The address.
        url: Masked<String>,
        /// What the request was for: `Document`, `Script`, `Fetch` …
        resource: String,
        /// How it failed.
        #[serde(flatten)]
        failure: RequestFailure,
    },
    /// The page reported more console messages, exceptions and failed requests than are kept.
    ReportsDropped {
        /// How many were dropped since the last such event.
        count: u64,
    },
    /// The result does not fit its schema, and the map says that this is only worth a warning.
    ResultMisfit {
        /// What does not fit.
        error: Masked<ErrorObject>,
    },
    /// A postcondition was evaluated for the last time.
    PostconditionChecked {
        /// The projection it read.
        projection: String,
        /// Whether it holds.
        ok: bool,
        /// How often it was evaluated.
        looks: usize,
        /// How long it took.
        waited_ms: u64,
    },
    /// The state of a projection was compared with what it was before the call.
    StateChanged {
        /// The projection.
        projection: String,
        /// The difference: `patches` and `semantic_deltas`.
        diff: Masked<Value>,
    },
    /// The states that the transitions of a tool start from, or lead to, were looked at.
    StatesChecked {
        /// Before the first step, or after the last.
        moment: Moment,
        /// The transitions that start where the page was.
        transitions: Vec<String>,
        /// The states any of which is asked for.
        required: Vec<String>,
        /// Those of them that are current.
        current: Vec<String>,
        /// Those of which nothing is known, because the map does not say how to recognise them.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        unknown: Vec<String>,
        /// Whether one is current; absent if that cannot be known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ok: Option<bool>,
        /// How long it took.
        waited_ms: u64,
    },
    /// An attempt of a traversal has ended, and the condition of its transition was evaluated.
    TraversalEvaluated {
        /// The transition.
        transition: String,
        /// The attempt, from 1.
        attempt: usize,
        /// How many there are at most.
        of: usize,
        /// Whether the condition holds.
        satisfied: bool,
    },
    /// A traversal has ended.
    TraversalFinished {
        /// The transition.
        transition: String,
        /// Whether its condition came true.
        converged: bool,
        /// How many attempts it took.
        attempts: usize,
    },
    /// A picture of the page was taken for the trace, or could not be.
    Picture {
        /// What it belongs to: the id of a step, `handler` or `call`.
        subject: String,
        /// When it was taken.
        moment: Moment,
        /// The picture.
        #[serde(flatten)]
        picture: Picture,
    },
    /// A call has ended.
    CallFinished {
        /// Whether it succeeded.
        ok: bool,
        /// What it returned.
        #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
        value: Option<Masked<Value>>,
        /// Why it failed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        error: Option<Masked<ErrorObject>>,
        /// How long it took.
        duration_ms: u64,
    },
}

/// How a request failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum RequestFailure {
    /// The status of the response, 400 or more.
    Status(u16),
    /// There was no response. The text is the browser's, such as `net::ERR_CONNECTION_REFUSED`.
    Error(Masked<String>),
}

/// How the wait of a step for its `settle_after` ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settled {
    /// Whether the page settled.
    pub ok: bool,
    /// Why it did not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<WireCode>,
    /// How long the wait took.
    pub waited_ms: u64,
}

/// How a step ended, in short.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepSummary {
    /// The step.
    pub id: StepId,
    /// The primitive it called.
    pub primitive: String,
    /// Whether it succeeded.
    pub ok: bool,
    /// Whether its condition left it out.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub skipped: bool,
    /// How long it took.
    pub duration_ms: u64,
    /// How its settle ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settle: Option<Settled>,
}

/// When a picture was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Moment {
    /// Before a step that may change the page.
    Before,
    /// After it.
    After,
    /// When the call failed.
    Error,
}

impl Moment {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Before => "before",
            Self::After => "after",
            Self::Error => "error",
        }
    }
}

/// A picture of the page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Picture {
    /// Its file, relative to the trace.
    File(String),
    /// Why there is none.
    Missing(WireCode),
}

/// Reads a field that is there: `null` is a value like any other.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Masked<Value>>, D::Error> {
    Masked::deserialize(deserializer).map(Some)
}
