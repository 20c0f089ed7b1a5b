//! Plans and runs the tools of an actions.json map: the crate agent runtimes embed.
//!
//! ```no_run
//! use actions_engine::Engine;
//! use actions_engine::browser::chromium::{LaunchOptions, launch};
//! use serde_json::json;
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let engine = Engine::load("sites/example.com/actions.json")?;
//! let browser = launch(LaunchOptions::default()).await?.browser;
//! let session = engine.open(&browser).await?;
//! let outcome = session.call("search.submit").arguments(json!({ "query": "maps" })).run().await;
//! println!("{:?}", outcome.result);
//! # Ok(())
//! # }
//! ```
//!
//! Every call has the same stages. The engine fills in default arguments and validates them, asks the policy, waits for
//! what the tool requires of the page, runs the steps, validates the result and checks the postcondition. It reports
//! everything that happens as a [`RunEvent`]. A failure is a [`CallError`] with a stable code.

mod engine;
mod failure;
mod here;
mod limits;
mod observer;
mod plan;
mod plans;
mod policy;
mod probe;
mod run;
mod schema;
mod secret;
mod session;
mod site;
mod state;

pub use actions_browser as browser;
pub use actions_dictionary::{CapabilityClass, Primitive};
pub use actions_manifest::document::Span;
pub use actions_manifest::{CheckedManifest, Finding};
pub use actions_primitives::{
    AgentEvents, BundleEntry, BundleFolder, BundleStorage, Failure, Host, HostedAgent, HttpAuth, HttpCall,
    HttpCaller, HttpReply, ListedPageTool, Marker, MessageMode, PayloadLimit, Permits, ProcessAgent,
    RecipeStep, Stage, Synced, WabAuth, WabCall, WabCaller, WabPage, WabPageAnswer, WabPlaces, WabReply,
    WabTransport,
};
pub use actions_protocol::{
    ByteLimit, CallId, ErrorCode, ErrorObject, Exit, FailureClass, Millis, SafeName, StepId, Timestamp,
    WireCode,
};
pub use actions_trace::{
    About, Entry, EventKind, MapDigest, Maskable, Masked, Moment, Picture, ReadError, Recorded,
    RequestFailure, RunEvent, Secrets, Settled, StepSummary, Trace, TraceError, TraceRecorder, Version,
};
pub use engine::{Engine, LoadError};
pub use failure::{CallError, FailedStep, Place};
pub use here::{ContextBlock, HereListing, HereTool};
pub use limits::Limits;
pub use observer::Observer;
pub use plan::{
    AttachmentPlan, CallLimit, CheckedInput, ConfirmNeed, Demands, Effect, Overlay, Plan, PolicyFacts,
    SignalPlan, SiteStanding, Standing, target_locator, typed_argument,
};
pub use policy::{
    Access, AllowedOrigins, Confirm, Confirmation, Consent, Decision, Denial, Intent, Operation, Policy,
    Rules,
};
pub use probe::SeenStates;
pub use run::{Arrival, Outcome};
pub use session::{
    AttachmentStanding, Call, PageId, Session, SessionPage, SiteCall, SiteOutcome, StateOptions, Traversal,
    TraversalOutcome,
};
pub use site::{
    ListedContext, ListedConvergence, ListedFile, ListedProjection, ListedSummary, ListedTool,
    ListedTransition, Listing, SiteAnswer, SiteRequest,
};
pub use state::diff::{Delta, Diff, Entity, Operation as PatchOperation, Place as EntityPlace};
pub use state::{Baseline, Diagnostics, Observation, Snapshot, StateDiff, StateReading, SummaryReading};
pub use tokio_util::sync::CancellationToken;

/// Compiles the examples of the documents.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
#[doc = include_str!("../../../docs/guide/embedding.md")]
struct Documents;
