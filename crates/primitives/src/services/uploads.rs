//! The files that were opened for an upload. The page may send them at any time until the session ends.

use std::collections::VecDeque;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use rustix::fs::{Mode, OFlags, open};

/// How many files are kept open. A page that was given more has had time to read the first.
const OPEN_KEPT: usize = 256;

/// The files that were opened for an upload.
///
/// A file is opened once, checked, and given to the browser as it was opened. Otherwise a program that exchanges the file
/// for a link between the check and the upload could choose what is sent.
#[derive(Debug, Default)]
pub struct Uploads {
    open: Mutex<VecDeque<Upload>>,
}

/// An open file, under a name that leads to it and nothing else.
#[derive(Debug)]
struct Upload {
    _file: File,
    _name: tempfile::TempDir,
}

/// Why a file cannot be uploaded.
#[derive(Debug)]
pub(crate) enum Denied {
    /// It cannot be opened, or it is no regular file.
    Unreadable(io::Error),
    /// It is outside the folders that the session may upload from.
    Outside,
}

impl From<io::Error> for Denied {
    fn from(error: io::Error) -> Self {
        Denied::Unreadable(error)
    }
}

impl Uploads {
    /// Opens a file inside one of the folders and returns a path for the browser.
    pub(crate) fn open(&self, file: &Path, folders: &[PathBuf]) -> Result<PathBuf, Denied> {
        let path = file.canonicalize()?;
        let is_inside = |path: &Path| {
            folders
                .iter()
                .filter_map(|folder| folder.canonicalize().ok())
                .any(|folder| path.starts_with(folder))
        };
        if !is_inside(&path) {
            return Err(Denied::Outside);
        }
        // A pipe must not make us wait, and a link that was put here a moment ago must not be followed.
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let opened = File::from(open(&path, flags, Mode::empty()).map_err(io::Error::from)?);
        if !opened.metadata()?.is_file() {
            return Err(io::Error::other("it is no regular file").into());
        }
        let Some(link) = name_of(&opened) else {
            // Other systems have no name for an open file.
            return Ok(path);
        };
        if !is_inside(&link.read_link()?) {
            return Err(Denied::Outside);
        }
        let folder = tempfile::Builder::new().prefix("actions-upload-").tempdir()?;
        let name = folder.path().join(path.file_name().unwrap_or_default());
        std::os::unix::fs::symlink(&link, &name)?;
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if open.len() == OPEN_KEPT {
            open.pop_front();
        }
        open.push_back(Upload { _file: opened, _name: folder });
        Ok(name)
    }
}

/// The name by which every process of this user can open the same file again.
fn name_of(opened: &File) -> Option<PathBuf> {
    use std::os::fd::AsRawFd;
    let name = PathBuf::from(format!("/proc/{}/fd/{}", std::process::id(), opened.as_raw_fd()));
    (cfg!(target_os = "linux") && name.exists()).then_some(name)
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn what_was_opened_stays_the_same_however_the_file_is_exchanged() {
        let (inside, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let (file, secret) = (inside.path().join("a.txt"), outside.path().join("secret"));
        fs::write(&file, "mine").unwrap();
        fs::write(&secret, "secret").unwrap();
        let uploads = Uploads::default();
        let given = uploads.open(&file, &[inside.path().to_path_buf()]).unwrap();
        assert_eq!(given.file_name().unwrap(), "a.txt");
        fs::remove_file(&file).unwrap();
        std::os::unix::fs::symlink(&secret, &file).unwrap();
        assert_eq!(fs::read_to_string(&given).unwrap(), "mine");
        let again = uploads.open(&file, &[inside.path().to_path_buf()]);
        assert!(matches!(again, Err(Denied::Outside)), "{again:?}");
        let folder = given.parent().unwrap().to_path_buf();
        drop(uploads);
        assert!(!folder.exists());
    }

    #[test]
    fn folders_and_pipes_are_no_files() {
        let inside = tempfile::tempdir().unwrap();
        let allowed = [inside.path().to_path_buf()];
        let pipe = inside.path().join("pipe");
        rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, Mode::RUSR, 0).unwrap();
        for file in [inside.path(), &pipe, &inside.path().join("missing")] {
            let opened = Uploads::default().open(file, &allowed);
            assert!(matches!(opened, Err(Denied::Unreadable(_))), "{}: {opened:?}", file.display());
        }
    }
}
