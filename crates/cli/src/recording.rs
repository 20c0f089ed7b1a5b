//! A recording of the network in progress, and the file it goes to.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use actions_engine::CallError;
use actions_engine::browser::har::Har;
use actions_engine::browser::{Clock, Deadline, Recorder, Steady};
use actions_protocol::{ErrorCode, Exit};
use serde_json::Value;

use crate::calling::Say;
use crate::output_file::OutputFile;
use crate::text::{counted, line};
use crate::time_limit::TimeLimit;

/// A recording in progress.
#[derive(Debug)]
pub(crate) struct Recording {
    recorder: Arc<Recorder>,
    /// Absent if everything would have to be masked.
    secrets: Mutex<Option<Vec<String>>>,
    har: Mutex<Option<Har>>,
    /// The reserved output file, until the recording is written to it.
    file: Mutex<Option<OutputFile>>,
    path: PathBuf,
    quiet: bool,
    /// The clock and the random numbers of the pages, if they are recorded for a case.
    steady: Option<Steady>,
    /// What the tool returned.
    returned: Mutex<Option<Value>>,
    /// Whether the file was written.
    kept: AtomicBool,
}

/// How long to wait for pending responses at the end.
const FINISHING: Duration = Duration::from_secs(10);

impl Recording {
    /// Starts a recording. Fails if the output file cannot be written.
    pub(crate) fn create(path: PathBuf, quiet: bool) -> io::Result<Self> {
        Ok(Self {
            recorder: Arc::default(),
            secrets: Mutex::new(Some(Vec::new())),
            har: Mutex::default(),
            file: Mutex::new(Some(OutputFile::create(&path)?)),
            path,
            quiet,
            steady: None,
            returned: Mutex::default(),
            kept: AtomicBool::new(false),
        })
    }

    /// Records pages with a clock and random numbers of their own.
    pub(crate) fn steadied(self, steady: Option<Steady>) -> Self {
        Self { steady, ..self }
    }

    pub(crate) fn steady(&self) -> Option<Steady> {
        self.steady
    }

    /// Where it is written to.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether it was written.
    pub(crate) fn is_kept(&self) -> bool {
        self.kept.load(Ordering::Relaxed)
    }

    /// Remembers what the tool returned.
    pub(crate) fn returned(&self, value: Option<&Value>) {
        *held(&self.returned) = value.cloned();
    }

    /// What the tool returned.
    pub(crate) fn take_returned(&self) -> Option<Value> {
        held(&self.returned).take()
    }

    /// Gives up the reserved file: another process writes it.
    pub(crate) fn leave_to_another(&self) {
        drop(held(&self.file).take());
    }

    pub(crate) fn recorder(&self) -> Arc<Recorder> {
        Arc::clone(&self.recorder)
    }

    /// Masks these texts in the recording.
    pub(crate) fn conceal(&self, secrets: Option<Vec<String>>) {
        *held(&self.secrets) = secrets;
    }

    /// Ends the recording. The browser must still be running.
    pub(crate) async fn finish(&self, clock: &dyn Clock, time: TimeLimit) {
        let Some(secrets) = held(&self.secrets).clone() else { return };
        let deadline = time.last_work(Deadline::after(clock, FINISHING));
        let har = self.recorder.finish(&secrets, clock, deadline).await;
        *held(&self.har) = Some(har);
    }

    /// Writes the recording to its file. Does nothing if no page was ever opened.
    pub(crate) fn keep(&self, say: Say<'_>) -> Exit {
        if held(&self.secrets).is_none() {
            say("error: nothing was recorded: the call had more secrets than can be masked one by one"
                .to_owned());
            return Exit::Failed;
        }
        let (Some(recorded), Some(file)) = (held(&self.har).take(), held(&self.file).take()) else {
            return Exit::Done;
        };
        if let Err(error) = file.keep(recorded.to_json().as_bytes()) {
            say(format!("error: {}: {error}", line(&self.path.display().to_string())));
            return Exit::Failed;
        }
        self.kept.store(true, Ordering::Relaxed);
        if !self.quiet {
            let requests = counted(recorded.log.entries.len(), "request");
            say(format!("recorded {requests} in {}", line(&self.path.display().to_string())));
        }
        Exit::Done
    }
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The error of a recording that could not be written.
pub(crate) fn unwritable(path: &Path, error: &io::Error) -> CallError {
    CallError::new(ErrorCode::WrongUsage, format!("{}: {error}", path.display()))
        .with_evidence("hint", "nothing was run; `--har` needs a file in a writable folder")
}
