//! The file a state is compared with, and replaced by, on the next occasion.

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use actions_engine::Snapshot;

/// Why a baseline cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BaselineError {
    #[error("{path}: {error}", path = path.display())]
    File { path: PathBuf, error: std::io::Error },
    #[error("{path}: not a baseline of `actions state diff`: {error}", path = path.display())]
    Unreadable { path: PathBuf, error: serde_json::Error },
    #[error("{path}: a baseline of `{found}`, not of `{wanted}`", path = path.display())]
    OtherProjection { path: PathBuf, found: String, wanted: String },
}

/// The snapshot in a file; none when there is no such file yet.
pub(crate) fn read(path: &Path, projection: &str) -> Result<Option<Snapshot>, BaselineError> {
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

/// Puts a snapshot in the place of the file. Whoever reads it meanwhile, or afterwards if this fails, finds the old one
/// or the new one, whole.
pub(crate) fn replace(path: &Path, snapshot: &Snapshot) -> Result<(), BaselineError> {
    let failed = |error| BaselineError::File { path: path.to_owned(), error };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(failed)?;
    let text = serde_json::to_string_pretty(snapshot).expect("plain data serialises");
    file.write_all(text.as_bytes()).and_then(|()| file.write_all(b"\n")).map_err(failed)?;
    file.as_file().sync_all().map_err(failed)?;
    file.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
}
