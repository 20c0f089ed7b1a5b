//! The session that a long-lived command holds, with the files of its maps.

use std::sync::{Mutex, PoisonError};

use actions_manifest::Severity;
use actions_runtime::{MapChange, MapFiles, MapVersion, RuntimeSession};

use crate::text::line;

/// The session and the files of its maps.
pub(crate) struct Held {
    pub(crate) session: RuntimeSession,
    files: Mutex<MapFiles>,
    /// Held while a command records the network of the session.
    pub(crate) recording: tokio::sync::Mutex<()>,
}

impl Held {
    pub(crate) fn new(session: RuntimeSession, files: MapFiles) -> Self {
        Self { session, files: Mutex::new(files), recording: tokio::sync::Mutex::default() }
    }

    /// The maps as they are used now.
    pub(crate) fn versions(&self) -> Vec<MapVersion> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner).versions()
    }

    /// Uses the maps as their files are now. Returns a line for every map that has changed.
    pub(crate) fn refresh_maps(&self) -> Vec<String> {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        let changes = files.refresh();
        if changes.iter().any(|change| matches!(change, MapChange::Reloaded { .. })) {
            self.session.set_maps(&files.versions());
        }
        changes.iter().filter_map(described).collect()
    }
}

/// A line about a map that has changed.
pub(crate) fn described(change: &MapChange) -> Option<String> {
    match change {
        MapChange::Reloaded { path } => {
            Some(format!("note: {} has changed and was loaded again", line(&path.display().to_string())))
        }
        MapChange::Rejected(error) => {
            let path = line(&error.path.display().to_string());
            let first = error.findings.iter().find(|finding| finding.severity == Severity::Error);
            let why = match first {
                Some(finding) => format!("{} {}", finding.rule.code, line(&finding.message)),
                None => line(&error.message),
            };
            Some(format!(
                "warning: {path} has changed and cannot be used ({why}); the version before it stays in use"
            ))
        }
        _ => None,
    }
}
