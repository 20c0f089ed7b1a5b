//! Writes the record of a call to a folder.
//!
//! | file | content |
//! | --- | --- |
//! | `trace.json` | the version of the format, the call, the map and its digest, when the call began |
//! | `plan.json` | the plan of the tool |
//! | `events.ndjson` | a line with the version, then one line per event |
//! | `pictures/` | the page before and after every step that may change it, and when the call failed |
//!
//! Events contain no secrets, and files are named after steps, never after data.

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use actions_protocol::WireCode;
use serde_json::{Value, json};

use crate::folder::{ABOUT, Folder, PICTURES, PLAN, TraceError};
use crate::version::Header;
use crate::{About, Moment, Picture, RunEvent};

/// Records one call. [`Trace::read`](crate::Trace::read) reads the record back.
#[derive(Debug)]
pub struct TraceRecorder {
    start: Instant,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    folder: Folder,
    /// Whether a call was described.
    begun: bool,
    pictures: u64,
    /// The first failed write.
    failed: Option<TraceError>,
}

impl TraceRecorder {
    /// Begins a trace in a folder. The folder is made if it does not exist, and must be empty if it does.
    pub fn create(folder: impl AsRef<Path>) -> Result<Self, TraceError> {
        let mut folder = Folder::create(folder.as_ref())?;
        folder.append(&json!(Header::current()).to_string())?;
        let state = State { folder, begun: false, pictures: 0, failed: None };
        Ok(Self { start: Instant::now(), state: Mutex::new(state) })
    }

    /// Returns the first failed write. A call does not fail because its trace cannot be written.
    pub fn finish(&self) -> Result<(), TraceError> {
        self.state().failed.take().map_or(Ok(()), Err)
    }

    /// Writes what is known before the call begins. Of a traversal, which is several calls of one tool, the first call is
    /// described.
    pub fn begin(&self, about: &About, plan: &Value) {
        if std::mem::replace(&mut self.state().begun, true) {
            return;
        }
        self.write(|state| state.folder.write(ABOUT, pretty(&json!(about)).as_bytes()));
        self.write(|state| state.folder.write(PLAN, pretty(plan).as_bytes()));
    }

    /// Appends an event.
    pub fn record(&self, event: &RunEvent) {
        let mut line = json!(event);
        line["at_ms"] = json!(u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX));
        self.write(|state| state.folder.append(&line.to_string()));
    }

    /// Keeps a picture, or the reason why there is none. What it returns belongs into an
    /// [`EventKind::Picture`](crate::EventKind::Picture).
    pub fn keep_picture(&self, subject: &str, moment: Moment, taken: Result<Vec<u8>, WireCode>) -> Picture {
        let bytes = match taken {
            Ok(bytes) => bytes,
            Err(code) => return Picture::Missing(code),
        };
        let mut state = self.state();
        state.pictures += 1;
        let name = format!("{PICTURES}/{:03}-{subject}-{}.png", state.pictures, moment.as_str());
        if let Err(error) = state.folder.write(&name, &bytes) {
            state.failed.get_or_insert(error);
        }
        Picture::File(name)
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

fn pretty(value: &Value) -> String {
    format!("{value:#}\n")
}
