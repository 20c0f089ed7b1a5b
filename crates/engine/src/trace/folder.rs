use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Why a trace could not be written.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    /// The folder holds something already.
    #[error("{} is not empty; a trace is never written over something else", .0.display())]
    NotEmpty(PathBuf),
    /// A file or folder could not be written.
    #[error("{}: {error}", .path.display())]
    Unwritable {
        /// What.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
}

/// A folder that was empty: every file in it is new, and only the owner can read it.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
    appended: Option<File>,
}

impl Folder {
    pub(super) fn create(path: &Path) -> Result<Self, TraceError> {
        let unwritable = |error| TraceError::Unwritable { path: path.to_owned(), error };
        match fs::read_dir(path).map(|mut entries| entries.next().is_some()) {
            Ok(true) => return Err(TraceError::NotEmpty(path.to_owned())),
            Ok(false) => {}
            Err(error) if error.kind() == ErrorKind::NotFound => make(path).map_err(unwritable)?,
            Err(error) => return Err(unwritable(error)),
        }
        make(&path.join("pictures")).map_err(unwritable)?;
        Ok(Self { path: path.to_owned(), appended: None })
    }

    /// Writes a file that is not there yet.
    pub(super) fn write(&self, name: &str, bytes: &[u8]) -> Result<(), TraceError> {
        let path = self.path.join(name);
        let written = new_file(&path).and_then(|mut file| file.write_all(bytes));
        written.map_err(|error| TraceError::Unwritable { path, error })
    }

    /// Writes at the end of the one file that grows.
    pub(super) fn append(&mut self, name: &str, bytes: &[u8]) -> Result<(), TraceError> {
        let path = self.path.join(name);
        let unwritable = |error| TraceError::Unwritable { path: path.clone(), error };
        let file = match &mut self.appended {
            Some(file) => file,
            None => self.appended.insert(new_file(&path).map_err(unwritable)?),
        };
        file.write_all(bytes).map_err(unwritable)
    }
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
