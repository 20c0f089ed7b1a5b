//! A record of a call in a folder: what was planned, what happened, and pictures of the page.
//!
//! | file | holds |
//! | --- | --- |
//! | `trace.json` | the version of the form, the tool, the map and its digest, when it began |
//! | `plan.json` | what was to be done |
//! | `events.ndjson` | a line with the version, then one line per event and per picture |
//! | `pictures/` | the page before and after every step that may change it, and when the call failed |
//!
//! Events come without secrets, and files are named after steps, never after data.

mod folder;

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use actions_browser::{Deadline, Screenshot};
use actions_manifest::CheckedManifest;
use actions_primitives::Stage;
use actions_protocol::{CallId, Timestamp};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::event::{Observer, RunEvent};
use crate::plan::Plan;
use folder::Folder;

pub use folder::TraceError;

/// The version of the form a trace has.
const VERSION: u32 = 1;

/// How long a picture may take: a record must not hold up what it records.
pub(crate) const PATIENCE: Duration = Duration::from_secs(1);

/// When a picture was taken.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Moment {
    Before,
    After,
    Error,
}

impl Moment {
    fn as_str(self) -> &'static str {
        match self {
            Self::Before => "before",
            Self::After => "after",
            Self::Error => "error",
        }
    }
}

/// Writes down one call.
///
/// ```no_run
/// # async fn example(session: actions_engine::Session) -> Result<(), actions_engine::TraceError> {
/// let trace = actions_engine::Trace::create("runs/today")?;
/// let outcome = session.call("search.submit").trace(&trace).run().await;
/// trace.finish()?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Trace {
    start: Instant,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    folder: Folder,
    pictures: u64,
    /// The first thing that could not be written.
    failed: Option<TraceError>,
}

impl Trace {
    /// Begins a trace in a folder, which is made if it is missing and must be empty if it is there.
    pub fn create(folder: impl AsRef<Path>) -> Result<Self, TraceError> {
        let folder = Folder::create(folder.as_ref())?;
        let state = State { folder, pictures: 0, failed: None };
        let trace = Self { start: Instant::now(), state: Mutex::new(state) };
        trace.write(|state| state.line(&json!({ "trace": "actions.json", "version": VERSION })));
        Ok(trace)
    }

    /// Tells whether everything could be written. A call does not fail because its trace does.
    pub fn finish(&self) -> Result<(), TraceError> {
        self.state().failed.take().map_or(Ok(()), Err)
    }

    /// Writes what is known before anything happens.
    pub(crate) fn begin(&self, manifest: &CheckedManifest, plan: &Plan, call_id: &CallId) {
        let maps: Vec<Value> = manifest
            .parts()
            .iter()
            .map(|part| {
                let source = part.document().source();
                json!({ "name": source.name(), "digest": digest(source.text()) })
            })
            .collect();
        let millis = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
        let about = json!({
            "trace": "actions.json",
            "version": VERSION,
            "engine": env!("CARGO_PKG_VERSION"),
            "call_id": call_id,
            "tool": plan.name,
            "started_at": Timestamp::from_unix_millis(u64::try_from(millis).unwrap_or(u64::MAX)),
            "manifest_digest": maps.first().map(|map| map["digest"].clone()),
            "maps": maps,
        });
        self.write(|state| state.folder.write("trace.json", pretty(&about).as_bytes()));
        self.write(|state| state.folder.write("plan.json", pretty(&plan.to_json()).as_bytes()));
    }

    /// Takes a picture of the page within a time. What cannot be pictured is told in its place.
    pub(crate) async fn picture(&self, stage: &Stage, subject: &str, moment: Moment, patience: Duration) {
        let deadline = Deadline::after(&*stage.clock(), patience);
        let taken = stage.page().screenshot(Screenshot::default(), deadline).await;
        let at_ms = self.millis();
        self.write(|state| {
            let mut line = json!({
                "event": "picture", "at_ms": at_ms, "subject": subject, "moment": moment.as_str(),
            });
            match taken {
                Ok(bytes) => {
                    state.pictures += 1;
                    let name = format!("pictures/{:03}-{subject}-{}.png", state.pictures, moment.as_str());
                    state.folder.write(&name, &bytes)?;
                    line["file"] = json!(name);
                }
                Err(error) => line["missing"] = json!(error.code()),
            }
            state.line(&line)
        });
    }

    fn millis(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self, write: impl FnOnce(&mut State) -> Result<(), TraceError>) {
        let mut state = self.state();
        if let Err(error) = write(&mut state) {
            state.failed.get_or_insert(error);
        }
    }
}

impl State {
    fn line(&mut self, line: &Value) -> Result<(), TraceError> {
        self.folder.append("events.ndjson", format!("{line}\n").as_bytes())
    }
}

impl Observer for Trace {
    fn event(&self, event: &RunEvent) {
        let mut line = json!(event);
        line["at_ms"] = json!(self.millis());
        self.write(|state| state.line(&line));
    }
}

fn pretty(value: &Value) -> String {
    format!("{value:#}\n")
}

fn digest(text: &str) -> String {
    format!("sha256:{}", data_encoding::HEXLOWER.encode(&Sha256::digest(text.as_bytes())))
}
