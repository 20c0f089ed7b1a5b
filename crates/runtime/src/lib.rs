//! Keeps browser sessions open between calls: one process, one browser, many sessions, many pages.
//!
//! A [`Runtime`] launches a browser when the first session opens. A [`RuntimeSession`] is a browser context with its own
//! cookies and one or more maps on its pages. Clients that share a session take turns on each page; different pages do
//! not wait for each other. The runtime ends sessions that no client uses, replaces a browser that has grown old once its
//! sessions have ended, and reports everything as a [`RuntimeEvent`].
//!
//! This crate knows no wire. The command line puts it behind a socket; an agent can embed it:
//!
//! ```no_run
//! use actions_engine::Engine;
//! use actions_runtime::{ChromiumLauncher, OpenSession, Runtime, RuntimeOptions, ToolCall};
//! use serde_json::json;
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let runtime = Runtime::new(ChromiumLauncher::default(), RuntimeOptions::default());
//! let map = Engine::load("sites/example.com/actions.json")?;
//! let session = runtime.open(OpenSession::named("work").map(map)).await?;
//!
//! let outcome = session.call(ToolCall::of("search.submit").arguments(json!({ "query": "maps" }))).await;
//! println!("{}", outcome.result?);
//! runtime.close().await;
//! # Ok(())
//! # }
//! ```

mod admission;
mod browsers;
mod event;
mod heard_signal;
mod launcher;
mod lease;
mod listing;
mod map_files;
mod maps;
mod open;
mod options;
mod route;
mod runtime;
mod session;
mod signal;
mod storage;
mod tool_call;

pub use admission::{Admission, Called, Caller};
pub use event::{EndReason, RuntimeEvent};
pub use heard_signal::{HeardSignal, PageReport, SignalCounts};
#[cfg(feature = "chromium")]
pub use launcher::ChromiumLauncher;
pub use launcher::Launcher;
pub use lease::Lease;
pub use listing::join_listings;
pub use map_files::{MakeEngine, MapChange, MapFileError, MapFiles};
pub use maps::MapVersion;
pub use open::OpenSession;
pub use options::{Retirement, RuntimeOptions};
pub use route::Route;
pub use runtime::{Runtime, check_name};
pub use session::{PageInfo, RuntimeSession, SessionInfo};
pub use storage::{Scope, StorageError, StorageRoot, StoredMap};
pub use tool_call::{Callee, ToolCall};

/// Compiles the examples of the documents.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide/sessions.md")]
struct Documents;
