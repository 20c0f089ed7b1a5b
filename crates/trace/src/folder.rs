//! The folder a trace is written to.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// The file that describes the call.
pub(crate) const ABOUT: &str = "trace.json";
/// The file with the plan of the call.
pub(crate) const PLAN: &str = "plan.json";
/// The file with one line per event.
pub(crate) const EVENTS: &str = "events.ndjson";
/// The folder with the pictures.
pub(crate) const PICTURES: &str = "pictures";

/// Why a trace could not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TraceError {
    /// The folder is not empty.
    #[error("{} is not empty; a trace never overwrites files", .0.display())]
    NotEmpty(PathBuf),
    /// A file or folder could not be written.
    #[error("{}: {error}", .path.display())]
    Unwritable {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
}

/// A folder that was empty. Every file in it is new, and only the owner can read it.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    events: Option<File>,
}

impl Folder {
    pub(crate) fn create(path: &Path) -> Result<Self, TraceError> {
        let unwritable = |error| TraceError::Unwritable { path: path.to_owned(), error };
        match fs::read_dir(path).map(|mut entries| entries.next().is_some()) {
            Ok(true) => return Err(TraceError::NotEmpty(path.to_owned())),
            Ok(false) => close_to_others(path).map_err(unwritable)?,
            Err(error) if error.kind() == ErrorKind::NotFound => make(path).map_err(unwritable)?,
            Err(error) => return Err(unwritable(error)),
        }
        make(&path.join(PICTURES)).map_err(unwritable)?;
        Ok(Self { path: path.to_owned(), events: None })
    }

    /// Writes a new file.
    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> Result<(), TraceError> {
        let path = self.path.join(name);
        let written = new_file(&path).and_then(|mut file| file.write_all(bytes));
        written.map_err(|error| TraceError::Unwritable { path, error })
    }

    /// Appends a line to the events.
    pub(crate) fn append(&mut self, line: &str) -> Result<(), TraceError> {
        let path = self.path.join(EVENTS);
        let unwritable = |error| TraceError::Unwritable { path: path.clone(), error };
        let file = match &mut self.events {
            Some(file) => file,
            None => self.events.insert(new_file(&path).map_err(unwritable)?),
        };
        file.write_all(format!("{line}\n").as_bytes()).map_err(unwritable)
    }
}

/// Leaves an existing folder to its owner alone: in an open one another user could replace files of the trace.
fn close_to_others(path: &Path) -> io::Result<()> {
    if fs::symlink_metadata(path)?.is_symlink() {
        return Err(io::Error::new(
            ErrorKind::InvalidInput,
            "a symbolic link is there; name the folder itself",
        ));
    }
    #[cfg(unix)]
    fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o700))?;
    Ok(())
}

fn make(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

fn new_file(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}
