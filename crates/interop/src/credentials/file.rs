//! The file that holds credentials: readable by its owner alone, replaced as a whole.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, OFlags, flock};
use serde::{Deserialize, Serialize};

use super::Credential;

/// More than any user has.
const LARGEST: u64 = 1 << 20;

/// Why the file of credentials cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// It cannot be read or written.
    #[error("{path}: {error}", path = path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// Others may read it.
    #[error("{path} can be read or written by others; make it yours alone: chmod 600", path = path.display())]
    Open {
        /// The file.
        path: PathBuf,
    },
    /// It is not what this program writes.
    #[error("{path} is not a file of credentials: {reason}", path = path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
}

/// Credentials with what they are for.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Entry {
    pub(super) origin: String,
    pub(super) system: String,
    #[serde(flatten)]
    pub(super) credential: Credential,
}

#[derive(Default, Serialize, Deserialize)]
struct Content {
    version: u32,
    credentials: Vec<Entry>,
}

/// Reads the file; nothing if it does not exist.
pub(super) fn read(path: &Path) -> Result<Vec<Entry>, FileError> {
    let failed = |error| FileError::Io { path: path.to_owned(), error };
    // A link is not followed: somebody else may own what it leads to.
    let flags = i32::try_from((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits()).unwrap_or_default();
    let file = match OpenOptions::new().read(true).custom_flags(flags).open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(failed(error)),
    };
    let metadata = file.metadata().map_err(failed)?;
    let malformed = |reason: &str| FileError::Malformed { path: path.to_owned(), reason: reason.to_owned() };
    if !metadata.is_file() {
        return Err(malformed("it is not a file"));
    }
    if metadata.uid() != rustix::process::geteuid().as_raw() || metadata.mode() & 0o077 != 0 {
        return Err(FileError::Open { path: path.to_owned() });
    }
    let mut text = String::new();
    file.take(LARGEST).read_to_string(&mut text).map_err(failed)?;
    // The message of the library could repeat a part of the file.
    let content: Content = serde_json::from_str(&text)
        .map_err(|error| malformed(&format!("line {}, column {}", error.line(), error.column())))?;
    Ok(content.credentials)
}

/// Changes the file while no other process does.
pub(super) fn change(path: &Path, change: impl FnOnce(&mut Vec<Entry>)) -> Result<(), FileError> {
    let failed = |error| FileError::Io { path: path.to_owned(), error };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(failed)?;
    let lock = path.with_extension("lock");
    let lock = File::options().create(true).append(true).mode(0o600).open(lock).map_err(failed)?;
    flock(&lock, FlockOperation::LockExclusive).map_err(|error| failed(error.into()))?;
    let mut credentials = read(path)?;
    change(&mut credentials);
    let content = Content { version: 1, credentials };
    let text = serde_json::to_string_pretty(&content).map_err(|error| failed(error.into()))?;
    // A temporary file is readable by its owner alone.
    let mut draft = tempfile::NamedTempFile::new_in(folder).map_err(failed)?;
    draft.write_all(text.as_bytes()).and_then(|()| draft.as_file().sync_all()).map_err(failed)?;
    draft.persist(path).map(drop).map_err(|error| failed(error.error))
}
