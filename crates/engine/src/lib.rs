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
//! A call goes one way: arguments are completed by their defaults and validated, the policy is asked, what the tool
//! requires is looked for, its steps run, its result is validated, its postcondition is proven. Whatever happens is
//! told as a [`RunEvent`]; whatever goes wrong is a [`CallError`] with a stable code.

mod engine;
mod failure;
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
pub use actions_primitives::{Marker, Permits, RecipeStep};
pub use actions_protocol::FailureClass;
pub use actions_trace::{
    About, Entry, EventKind, MapDigest, Maskable, Masked, Moment, Picture, ReadError, Recorded,
    RequestFailure, RunEvent, Secrets, Settled, StepSummary, Trace, TraceError, TraceRecorder, Version,
};
pub use engine::{Engine, LoadError};
pub use failure::{CallError, FailedStep, Place};
pub use limits::Limits;
pub use observer::Observer;
pub use plan::{CheckedInput, Effect, Plan, Standing, typed_argument};
pub use policy::{AllowedOrigins, Confirm, Confirmation, Decision, Denial, Intent, Operation, Policy, Rules};
pub use run::Outcome;
pub use session::{Call, Session, SiteCall, SiteOutcome, StateOptions};
pub use site::{
    ListedContext, ListedFile, ListedProjection, ListedSummary, ListedTool, Listing, SiteAnswer, SiteRequest,
};
pub use state::diff::{Delta, Diff, Entity, Operation as PatchOperation, Place as EntityPlace};
pub use state::{Baseline, Diagnostics, Observation, Snapshot, StateDiff, StateReading, SummaryReading};
pub use tokio_util::sync::CancellationToken;

/// Compiles the examples of the documents.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
#[doc = include_str!("../../../docs/guide/embedding.md")]
#[doc = include_str!("../../../docs/guide/sessions.md")]
struct Documents;
