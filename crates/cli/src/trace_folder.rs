//! The folder of a trace, before there is one.

use std::io::ErrorKind;
use std::path::Path;

use actions_engine::{CallError, TraceError};
use actions_protocol::ErrorCode;

/// Makes sure that a trace could begin in a folder, and leaves it as it is: a call that never begins has none.
pub(crate) fn check(folder: &Path) -> Result<(), CallError> {
    match std::fs::read_dir(folder).map(|mut entries| entries.next().is_none()) {
        Ok(true) => Ok(()),
        Ok(false) => Err(unusable(TraceError::NotEmpty(folder.to_owned()))),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(unusable(TraceError::Unwritable { path: folder.to_owned(), error })),
    }
}

/// The refusal of a folder that cannot hold a trace.
pub(crate) fn unusable(error: TraceError) -> CallError {
    CallError::new(ErrorCode::WrongUsage, error.to_string())
        .with_evidence("hint", "--trace takes a folder that is new or empty")
}
