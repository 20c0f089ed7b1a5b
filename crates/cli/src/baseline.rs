//! The file of `--baseline`: the state to compare with, replaced by the new state afterwards.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use actions_engine::{CallError, Snapshot};
use actions_protocol::ErrorCode;

use crate::output_file::OutputFile;

/// Why a baseline cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BaselineError {
    #[error("{path}: {error}", path = path.display())]
    File { path: PathBuf, error: std::io::Error },
    #[error("{path}: not a baseline written by `actions state diff`: {error}", path = path.display())]
    Unreadable { path: PathBuf, error: serde_json::Error },
    #[error("{path}: a baseline of `{found}`, not of `{wanted}`", path = path.display())]
    OtherProjection { path: PathBuf, found: String, wanted: String },
}

impl From<BaselineError> for CallError {
    fn from(error: BaselineError) -> Self {
        let hint = match error {
            BaselineError::File { .. } => "`--baseline` needs a file in a writable folder",
            BaselineError::Unreadable { .. } => {
                "pass another file, or delete this one; `actions state diff` creates it if it is missing"
            }
            BaselineError::OtherProjection { .. } => "use one baseline file per projection",
        };
        Self::new(ErrorCode::WrongUsage, error.to_string()).with_evidence("hint", hint)
    }
}

/// A file that holds the last snapshot of one projection on one page.
pub(crate) struct BaselineFile {
    path: PathBuf,
    before: Option<Snapshot>,
}

impl BaselineFile {
    /// Reads the file if it exists, and fails if it could not be replaced later.
    pub(crate) fn open(path: &Path, projection: &str) -> Result<Self, BaselineError> {
        let file = Self { path: path.to_owned(), before: read(path, projection)? };
        OutputFile::create(path).map(drop).map_err(|error| file.failed(error))?;
        Ok(file)
    }

    /// Returns the snapshot in the file, or `None` if the file does not exist yet.
    pub(crate) fn before(&self) -> Option<Snapshot> {
        self.before.clone()
    }

    /// Replaces the file with a snapshot of the same page, atomically: a concurrent reader, or a later one if this
    /// fails, finds the complete old or the complete new snapshot.
    pub(crate) fn replace(&self, after: &Snapshot) -> Result<(), BaselineError> {
        let failed = |error| self.failed(error);
        let mut text = serde_json::to_string_pretty(after).expect("plain data serialises");
        text.push('\n');
        OutputFile::create(&self.path).and_then(|file| file.keep(text.as_bytes())).map_err(failed)
    }

    fn failed(&self, error: std::io::Error) -> BaselineError {
        BaselineError::File { path: self.path.clone(), error }
    }
}

fn read(path: &Path, projection: &str) -> Result<Option<Snapshot>, BaselineError> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(BaselineError::File { path: path.to_owned(), error }),
    };
    let snapshot: Snapshot = serde_json::from_str(&text)
        .map_err(|error| BaselineError::Unreadable { path: path.to_owned(), error })?;
    if snapshot.projection != projection {
        return Err(BaselineError::OtherProjection {
            path: path.to_owned(),
            found: snapshot.projection,
            wanted: projection.to_owned(),
        });
    }
    Ok(Some(snapshot))
}
