//! The folder of a trace, before there is one.

use std::io::ErrorKind;
use std::path::Path;

use actions_engine::TraceError;

/// Makes sure that a trace could begin in a folder, and leaves it as it is: a call that never begins has none.
pub(crate) fn check(folder: &Path) -> Result<(), TraceError> {
    match std::fs::read_dir(folder).map(|mut entries| entries.next().is_none()) {
        Ok(true) => Ok(()),
        Ok(false) => Err(TraceError::NotEmpty(folder.to_owned())),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(TraceError::Unwritable { path: folder.to_owned(), error }),
    }
}
