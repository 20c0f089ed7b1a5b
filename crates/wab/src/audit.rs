//! The log of commands: one entry for each, as the protocol wants it.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use actions_engine::Timestamp;
use serde::Serialize;

/// A command that was answered.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Entry {
    /// When it was received.
    pub timestamp: Timestamp,
    /// Its id.
    pub command_id: String,
    /// Its method.
    pub method: String,
    /// Who sent it: the agent of its session, or what the agent calls itself.
    pub agent_id: Option<String>,
    /// The origin it came from, if it came from a page.
    pub origin: Option<String>,
    /// `success` or `error`.
    pub status: &'static str,
    /// The code of the error.
    pub error_code: Option<&'static str>,
    /// How long it took, in milliseconds.
    pub latency_ms: u64,
}

/// Keeps entries.
pub trait Audit: Send + Sync {
    /// Keeps an entry.
    fn keep(&self, entry: &Entry);
}

/// A log that keeps nothing.
#[derive(Clone, Copy, Debug)]
pub struct NoAudit;

impl Audit for NoAudit {
    fn keep(&self, _entry: &Entry) {}
}

/// A file with one entry per line, as JSON. Nothing is ever removed from it: how long entries stay is for its owner to say.
#[derive(Debug)]
pub struct AuditFile {
    file: Mutex<File>,
}

impl AuditFile {
    /// Appends to a file, which is made if it is not there. Only its owner may read it.
    pub fn open(path: &Path) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        options.create(true).append(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        Ok(Self { file: Mutex::new(options.open(path)?) })
    }
}

impl Audit for AuditFile {
    fn keep(&self, entry: &Entry) {
        let Ok(mut line) = serde_json::to_vec(entry) else { return };
        line.push(b'\n');
        // One write, so that lines of several threads do not mix.
        let written = self.file.lock().unwrap_or_else(PoisonError::into_inner).write_all(&line);
        if let Err(error) = written {
            tracing::warn!("the log of commands cannot be written: {error}");
        }
    }
}
