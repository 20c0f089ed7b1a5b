//! What commands and background sessions say to each other.

use std::path::PathBuf;
use std::time::Duration;

use actions_engine::browser::StorageState;
use actions_engine::{CallError, CallId, Millis, RunEvent, Snapshot, StepSummary};
use actions_runtime::SessionInfo;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::consent_options::ConsentOptions;
use crate::tool_input::TextInput;

/// The version of the messages. Both sides must have the same.
pub(super) const VERSION: u32 = 2;

/// How often a session says that it still works on a request.
pub(super) const BEAT: Duration = Duration::from_millis(500);

/// The first message, from the session.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Hello {
    /// The version of the messages.
    pub(super) actions_session: u32,
    /// The version of the program.
    pub(super) version: String,
    pub(super) pid: u32,
}

/// The request of a command, the only message it sends.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Request {
    /// Describe the session.
    Info,
    /// End the session.
    Stop,
    /// Run a tool.
    Run(Box<RunRequest>),
    /// Read the state of a page.
    State(StateRequest),
    /// List what the maps declare, and which parts apply to a page.
    List(Listed),
    /// Perform one primitive.
    Primitive(PrimitiveRequest),
    /// Read its cookies and storage.
    Identity,
    /// Load a page again and record what it asks the network for.
    Record(RecordRequest),
}

/// What a session says to a request: any number of events and notes, then one answer.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Reply {
    /// Nothing new: the session works on the request.
    Working,
    /// An event of the call.
    Event(Box<RunEvent>),
    /// A line for standard error.
    Note(String),
    /// The request failed before it did anything.
    Failed(Box<CallError>),
    /// The answer to `Info`.
    Info(SessionInfo),
    /// The answer to `Stop`; the session has ended.
    Stopped,
    /// The answer to `Run`.
    Run(Box<RunReply>),
    /// The answer to `State`.
    State(Box<StateReply>),
    /// The answer to `List`.
    List(Value),
    /// The answer to `Primitive`.
    Primitive(Box<PrimitiveReply>),
    /// The answer to `Identity`.
    Identity(Box<StorageState>),
    /// The answer to `Record`; the file is written.
    Recorded,
}

/// Which page of the session, if not the current one.
type Page = Option<String>;

/// A call of a tool.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct RunRequest {
    pub(crate) tool: String,
    /// The map that must declare the tool.
    pub(crate) map: Option<PathBuf>,
    pub(crate) input: TextInput,
    pub(crate) page: Page,
    pub(crate) timeout: Option<Millis>,
    /// The transition that repeats the tool.
    pub(crate) traverse: Option<String>,
    pub(crate) record: Option<RecordRequest>,
    pub(crate) diff: Option<String>,
    pub(crate) trace: Option<PathBuf>,
    pub(crate) screenshot: Option<PathBuf>,
    pub(crate) save_storage_state: Option<PathBuf>,
    pub(crate) quiet: bool,
    /// What the caller has agreed to.
    #[serde(default)]
    pub(crate) consent: ConsentOptions,
}

/// A recording of the network.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct RecordRequest {
    /// The file that is written.
    pub(crate) har: PathBuf,
    pub(crate) page: Page,
    /// Whether the page is loaded again first, so that the recording has its document.
    pub(crate) reload: bool,
    pub(crate) timeout: Option<Millis>,
    pub(crate) quiet: bool,
}

/// How a call ended.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct RunReply {
    pub(crate) call_id: CallId,
    pub(crate) result: Result<Value, CallError>,
    pub(crate) steps: Vec<StepSummary>,
    /// The difference as JSON, if one was wanted and could be read.
    pub(crate) diff: Option<Value>,
    /// What changed, in lines for people.
    pub(crate) changes: Vec<String>,
}

/// A reading of a projection.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct StateRequest {
    pub(crate) projection: String,
    /// The map that must declare the projection.
    pub(crate) map: Option<PathBuf>,
    pub(crate) what: StateKind,
    pub(crate) page: Page,
    pub(crate) max_bytes: Option<usize>,
    pub(crate) timeout: Option<Millis>,
}

/// What is read.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum StateKind {
    /// The whole state.
    Read,
    /// A summary.
    Summary { summary: String, input: TextInput },
    /// What changed since the baseline, or else since the last reading in the session.
    Diff { baseline: Option<Box<Snapshot>> },
}

/// What a reading gave.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct StateReply {
    pub(crate) call_id: CallId,
    pub(crate) result: Result<ShownState, CallError>,
    /// The state as it is now, for the next difference.
    pub(crate) snapshot: Option<Snapshot>,
}

/// A reading as it is shown.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct ShownState {
    /// With its metadata.
    pub(crate) json: Value,
    /// For people: the state or summary as JSON, or the lines of a difference.
    pub(crate) human: Shown,
    /// The required fields that are missing.
    pub(crate) missing: Vec<String>,
    /// The size of the state or summary.
    pub(crate) bytes: Option<usize>,
}

/// What people see of a reading.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Shown {
    Json(Value),
    Lines(Vec<String>),
}

/// Which page a listing is for.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Listed {
    pub(crate) page: Page,
}

/// A primitive by itself.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct PrimitiveRequest {
    pub(crate) primitive: String,
    pub(crate) arguments: Value,
    pub(crate) page: Page,
    pub(crate) timeout: Option<Millis>,
}

/// What a primitive gave.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct PrimitiveReply {
    pub(crate) result: Result<Value, CallError>,
    pub(crate) commands: u64,
    pub(crate) round_trips: u64,
    pub(crate) duration_ms: u64,
    pub(crate) url: String,
}
