//! The log of a session: which primitives it performed, and how they ended.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use actions_protocol::{ErrorCode, Timestamp};
use serde::Serialize;

/// How many entries are kept.
const KEPT: usize = 2_000;

/// The log of a session. It holds no arguments and no outputs, which may be secret.
#[derive(Debug, Default)]
pub struct SessionLog {
    entries: Mutex<VecDeque<LogEntry>>,
}

/// A primitive that was performed.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct LogEntry {
    /// When it began.
    pub(crate) at: Timestamp,
    /// Its name.
    pub(crate) primitive: String,
    /// Whether it succeeded.
    pub(crate) ok: bool,
    /// The code of its error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<ErrorCode>,
    /// How long it took, in milliseconds.
    pub(crate) duration_ms: u64,
}

impl SessionLog {
    /// Adds an entry; the oldest one goes when there are too many.
    pub(crate) fn add(&self, entry: LogEntry) {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        if entries.len() == KEPT {
            entries.pop_front();
        }
        entries.push_back(entry);
    }

    /// The latest entries, oldest first.
    pub(crate) fn latest(&self, limit: usize) -> Vec<LogEntry> {
        let entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        entries.iter().skip(entries.len().saturating_sub(limit)).cloned().collect()
    }
}
