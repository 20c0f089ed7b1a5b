//! Writes the output files of commands: recordings, pictures, baselines.
//!
//! A file is written beside its place and renamed, so a reader finds the whole old or the whole new content. Only the
//! owner can read it. A path that names a link, a device or a folder is refused.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::fs::{FlockOperation, flock};
use tempfile::NamedTempFile;

/// The end of the name of a file that is not complete yet.
const DRAFT: &str = ".actions-draft";

/// A younger draft may not be locked yet.
const YOUNG: Duration = Duration::from_secs(60);

/// A file that will be written. Dropping it leaves what was there before.
#[derive(Debug)]
pub(crate) struct OutputFile {
    path: PathBuf,
    /// Locked as long as this process lives.
    draft: NamedTempFile,
}

impl OutputFile {
    /// Fails if the file could not be written later. Removes drafts that dead processes left in the same folder.
    pub(crate) fn create(path: &Path) -> io::Result<Self> {
        refuse_unless_regular(path)?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        // An error should name the folder of the user, not a draft.
        fs::metadata(folder)?;
        remove_dead_drafts(folder);
        let draft = tempfile::Builder::new().prefix(".").suffix(DRAFT).tempfile_in(folder)?;
        // A file system without locks keeps the draft of a killed process.
        lock(draft.as_file()).ok();
        Ok(Self { path: path.to_owned(), draft })
    }

    /// Like [`create`](Self::create), and creates missing folders on the way.
    pub(crate) fn create_with_folders(path: &Path) -> io::Result<Self> {
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            fs::create_dir_all(folder)?;
        }
        Self::create(path)
    }

    /// Puts the content in its place, for everybody who may read the folder: a file that is reviewed and committed.
    pub(crate) fn keep_shared(self, content: &[u8]) -> io::Result<()> {
        let mode = fs::metadata(&self.path).map_or(0o644, |there| there.permissions().mode() & 0o777);
        fs::set_permissions(self.draft.path(), fs::Permissions::from_mode(mode))?;
        self.keep(content)
    }

    /// Puts the content in its place.
    pub(crate) fn keep(mut self, content: &[u8]) -> io::Result<()> {
        self.draft.write_all(content)?;
        self.draft.as_file().sync_all()?;
        refuse_unless_regular(&self.path)?;
        self.draft.persist(&self.path).map(drop).map_err(|error| error.error)
    }
}

fn refuse_unless_regular(path: &Path) -> io::Result<()> {
    let kind = match fs::symlink_metadata(path) {
        Ok(there) => there.file_type(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    let what = match () {
        () if kind.is_file() => return Ok(()),
        () if kind.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
        () if kind.is_symlink() => "a symbolic link is there; name the file itself",
        () => "a device, pipe or socket is there; name a file",
    };
    Err(io::Error::new(io::ErrorKind::InvalidInput, what))
}

fn lock(file: &File) -> rustix::io::Result<()> {
    flock(file, FlockOperation::NonBlockingLockExclusive)
}

/// A draft that is not locked belongs to a process that has ended.
fn remove_dead_drafts(folder: &Path) {
    let is_draft =
        |name: &OsStr| name.to_string_lossy().starts_with('.') && name.to_string_lossy().ends_with(DRAFT);
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries.filter(|entry| is_draft(&entry.file_name())) {
        let is_old = |of: fs::Metadata| {
            of.is_file() && of.modified().is_ok_and(|at| at.elapsed().is_ok_and(|age| age > YOUNG))
        };
        let is_dead = || File::open(entry.path()).is_ok_and(|file| lock(&file).is_ok());
        if entry.metadata().is_ok_and(is_old) && is_dead() {
            // Another process may have removed it first.
            drop(fs::remove_file(entry.path()));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;
    use std::time::SystemTime;

    use super::*;

    fn write(path: &Path, content: &str) -> io::Result<()> {
        OutputFile::create(path)?.keep(content.as_bytes())
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<String> = entries.map(|name| name.to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_replaced_whole_and_only_its_owner_can_read_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.har");
        fs::write(&path, "old").unwrap();
        let file = OutputFile::create(&path).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        file.keep(b"new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(names(folder.path()), ["a.har"]);
    }

    #[test]
    fn links_folders_and_pipes_are_refused_and_kept() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("file"), "kept").unwrap();
        symlink(at("file"), at("link")).unwrap();
        symlink(at("none"), at("dangling")).unwrap();
        fs::create_dir(at("folder")).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(at("pipe")).status().unwrap().success());
        for name in ["link", "dangling", "folder", "pipe", "none/a"] {
            write(&at(name), "new").unwrap_err();
        }
        assert_eq!(fs::read_to_string(at("file")).unwrap(), "kept");
        assert_eq!(names(folder.path()), ["dangling", "file", "folder", "link", "pipe"]);
    }

    #[test]
    fn a_link_that_appears_while_the_command_runs_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.png");
        let file = OutputFile::create(&path).unwrap();
        symlink("/dev/null", &path).unwrap();
        file.keep(b"new").unwrap_err();
        assert!(fs::symlink_metadata(&path).unwrap().is_symlink());
        assert_eq!(names(folder.path()), ["a.png"]);
    }

    #[test]
    fn drafts_of_dead_processes_are_removed_and_those_of_living_ones_stay() {
        let folder = tempfile::tempdir().unwrap();
        let dead = File::create(folder.path().join(".dead.actions-draft")).unwrap();
        dead.set_modified(SystemTime::now() - 2 * YOUNG).unwrap();
        let living = OutputFile::create(&folder.path().join("a")).unwrap();
        let other = OutputFile::create(&folder.path().join("b")).unwrap();
        assert_eq!(names(folder.path()).len(), 2);
        living.keep(b"a").unwrap();
        other.keep(b"b").unwrap();
        assert_eq!(names(folder.path()), ["a", "b"]);
    }
}
