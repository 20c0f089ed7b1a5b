//! The folder in which a session keeps its login for the next one: cookies and storage, for one session at a time.

use std::fs::{self, DirBuilder, File};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use actions_engine::CallError;
use actions_engine::browser::StorageState;
use actions_protocol::ErrorCode;
use rustix::fs::{FlockOperation, flock};

use crate::identity_options::{keep, read, reserve};

/// The file with cookies and storage.
const STATE: &str = "storage-state.json";

/// The file that is locked while a session uses the folder.
const LOCK: &str = "lock";

/// The profile folder of a session. No other session can use it while this lives.
#[derive(Debug)]
pub(crate) struct ProfileFolder {
    folder: PathBuf,
    _lock: File,
}

impl ProfileFolder {
    /// Takes a folder, and creates it if it does not exist.
    pub(crate) fn take(folder: &Path) -> Result<Self, CallError> {
        let unusable = |error: io::Error| {
            CallError::new(ErrorCode::WrongUsage, format!("{}: {error}", folder.display()))
                .with_evidence("hint", "`--profile` needs a folder of your own that is closed to others")
        };
        match DirBuilder::new().mode(0o700).create(folder) {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(unusable(error)),
            _ => {}
        }
        check(folder).map_err(unusable)?;
        let no_follow = i32::try_from(rustix::fs::OFlags::NOFOLLOW.bits()).unwrap_or_default();
        let mut options = fs::OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false).mode(0o600).custom_flags(no_follow);
        let lock = options.open(folder.join(LOCK)).map_err(unusable)?;
        if flock(&lock, FlockOperation::NonBlockingLockExclusive).is_err() {
            let message = format!("{}: another session uses this profile", folder.display());
            return Err(CallError::new(ErrorCode::WrongUsage, message)
                .with_evidence("hint", "end that session, or choose another folder"));
        }
        Ok(Self { folder: folder.to_owned(), _lock: lock })
    }

    /// What the session before left; `None` in a new folder.
    pub(crate) fn state(&self) -> Result<Option<StorageState>, CallError> {
        let file = self.folder.join(STATE);
        match file.symlink_metadata() {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            _ => read(&file).map(Some),
        }
    }

    /// Keeps cookies and storage for the next session.
    pub(crate) fn keep(&self, state: &StorageState) -> Result<(), CallError> {
        keep(reserve(&self.folder.join(STATE))?, state)
    }
}

/// Fails unless a folder belongs to this user and is closed to others.
fn check(folder: &Path) -> io::Result<()> {
    let found = fs::symlink_metadata(folder)?;
    let problem = match () {
        () if !found.is_dir() => "this is not a folder",
        () if found.uid() != rustix::process::geteuid().as_raw() => "it belongs to another user",
        () if found.mode() & 0o077 != 0 => "it is open to other users; close it with `chmod 700`",
        () => return Ok(()),
    };
    Err(io::Error::new(ErrorKind::PermissionDenied, problem))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_profile_belongs_to_one_session_at_a_time_and_keeps_its_state() {
        let scratch = tempfile::tempdir().unwrap();
        let folder = scratch.path().join("ada");
        let first = ProfileFolder::take(&folder).unwrap();
        assert!(first.state().unwrap().is_none());
        assert!(ProfileFolder::take(&folder).unwrap_err().message.contains("another session"));
        let state: StorageState = serde_json::from_str(
            r#"{"cookies": [{"name": "sid", "value": "1", "domain": "example.com"}], "origins": []}"#,
        )
        .unwrap();
        first.keep(&state).unwrap();
        drop(first);
        assert_eq!(ProfileFolder::take(&folder).unwrap().state().unwrap(), Some(state));
        fs::set_permissions(&folder, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        assert!(ProfileFolder::take(&folder).unwrap_err().message.contains("open to other users"));
    }
}
