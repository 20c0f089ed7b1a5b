//! The folder of one browser: its profile, its temporary files, and a file that names its owner.

use std::fs::{self, File};
use std::io::{self, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::fs::{FlockOperation, flock};
use serde::{Deserialize, Serialize};

use super::process::ProcessIdentity;

/// The prefix of every folder we create.
pub(super) const PREFIX: &str = "actions-browser-";
pub(super) const OWNER_FILE: &str = "owner.json";
/// The socket that Chromium creates below its temporary folder when it starts.
const SOCKET_BELOW_TEMPORARY: &str = "/.org.chromium.Chromium.XXXXXX/SingletonSocket";
/// The longest path of a Unix socket. Chromium exits at once if its socket path is longer.
const LONGEST_SOCKET_PATH: usize = 107;

/// The content of the owner file: the process that owns the folder, and the browser that runs in it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Owner {
    pub(super) owner: ProcessIdentity,
    pub(super) browser: Option<ProcessIdentity>,
}

/// A new folder. Its owner file stays locked while this value exists, so that no sweep removes the folder.
#[derive(Debug)]
pub(super) struct Profile {
    folder: PathBuf,
    owner_file: File,
}

impl Profile {
    pub(super) fn create(root: &Path) -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix(PREFIX).tempdir_in(root)?.keep();
        Self::own(&folder).inspect_err(|_| {
            // A later sweep removes it if this fails.
            let _ = fs::remove_dir_all(&folder);
        })
    }

    fn own(folder: &Path) -> io::Result<Self> {
        fs::create_dir(folder.join("profile"))?;
        fs::create_dir(folder.join("tmp"))?;
        let draft = folder.join("owner.new");
        let owner_file = File::create_new(&draft)?;
        flock(&owner_file, FlockOperation::NonBlockingLockExclusive)?;
        let mut profile = Self { folder: folder.to_path_buf(), owner_file };
        profile.write_owner(None)?;
        // The file gets its final name only when it is complete and locked.
        fs::rename(draft, folder.join(OWNER_FILE))?;
        Ok(profile)
    }

    pub(super) fn write_owner(&mut self, browser: Option<ProcessIdentity>) -> io::Result<()> {
        let owner = Owner { owner: ProcessIdentity::of_this_process(), browser };
        let text = serde_json::to_vec(&owner)?;
        self.owner_file.rewind()?;
        self.owner_file.write_all(&text)?;
        self.owner_file.set_len(text.len() as u64)
    }

    /// The value of `--user-data-dir`.
    pub(super) fn user_data_dir(&self) -> PathBuf {
        self.folder.join("profile")
    }

    /// The folder for the browser's temporary files. A killed browser cannot remove them; we remove them with the
    /// profile.
    /// `None` if the path of a socket below it would be too long; the browser then uses the system's temporary folder.
    pub(super) fn temporary_dir(&self) -> Option<PathBuf> {
        let folder = self.folder.join("tmp");
        let longest = folder.as_os_str().len() + SOCKET_BELOW_TEMPORARY.len();
        (longest <= LONGEST_SOCKET_PATH).then_some(folder)
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Removes the folder. Retries for a while, because the browser's last helpers may still be writing to it.
    pub(super) fn remove(self) -> io::Result<()> {
        remove_folder(&self.folder)
    }
}

fn remove_folder(folder: &Path) -> io::Result<()> {
    const TRIES: u32 = 100;
    let mut tried = 0;
    loop {
        tried += 1;
        match fs::remove_dir_all(folder) {
            Ok(()) => return Ok(()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) if tried == TRIES => return Err(error),
            Err(_) => std::thread::sleep(Duration::from_millis(20)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_profile_names_its_owner_and_leaves_nothing_behind() {
        let root = tempfile::tempdir().unwrap();
        let mut profile = Profile::create(root.path()).unwrap();
        profile.write_owner(Some(ProcessIdentity::of_this_process())).unwrap();
        let text = fs::read(profile.folder().join(OWNER_FILE)).unwrap();
        let owner: Owner = serde_json::from_slice(&text).unwrap();
        assert_eq!(owner.owner, ProcessIdentity::of_this_process());
        assert_eq!(owner.browser, Some(ProcessIdentity::of_this_process()));
        assert!(profile.user_data_dir().is_dir());
        profile.remove().unwrap();
        assert_eq!(fs::read_dir(root.path()).unwrap().count(), 0);
    }

    #[test]
    fn the_temporary_folder_is_in_the_profile_unless_socket_paths_would_be_too_long() {
        let root = tempfile::tempdir().unwrap();
        let profile = Profile::create(root.path()).unwrap();
        assert_eq!(profile.temporary_dir(), Some(profile.folder().join("tmp")));
        assert!(profile.folder().join("tmp").is_dir());
        let deep = root.path().join("d".repeat(60));
        fs::create_dir(&deep).unwrap();
        assert_eq!(Profile::create(&deep).unwrap().temporary_dir(), None);
    }
}
