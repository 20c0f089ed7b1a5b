//! Checks the folder of `--trace` before a call starts.

use std::io::ErrorKind;
use std::path::Path;

use actions_engine::{CallError, TraceError};
use actions_protocol::ErrorCode;

/// Fails unless a trace could be written to `folder`. Creates nothing: a call that never starts leaves no trace.
pub(crate) fn check(folder: &Path) -> Result<(), CallError> {
    match std::fs::read_dir(folder).map(|mut entries| entries.next().is_none()) {
        Ok(true) => Ok(()),
        Ok(false) => Err(unusable(TraceError::NotEmpty(folder.to_owned()))),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(unusable(TraceError::Unwritable { path: folder.to_owned(), error })),
    }
}

/// The error for a folder that cannot hold a trace.
pub(crate) fn unusable(error: TraceError) -> CallError {
    CallError::new(ErrorCode::WrongUsage, error.to_string())
        .with_evidence("hint", "`--trace` needs a folder that is new or empty")
}
